/** Answers that say the same to everybody and take long to make. */
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"

/**
 * Makes the function that gives an answer, which is made once for each key and is the same for all servers of this process. Ask while a server starts:
 * making it takes some 100 ms, which the frames of running calls cannot wait. It is sent from bytes, since encoding a text of megabytes for each
 * request would take as long.
 */
export const madeOnce = () => {
  const made = new WeakMap<object, HttpServerResponse.HttpServerResponse>()
  return <R>(key: object, make: Effect.Effect<HttpServerResponse.HttpServerResponse, never, R>) =>
    Effect.suspend((): typeof make => {
      const known = made.get(key)
      if (known !== undefined) return Effect.succeed(known)
      return Effect.map(make, (response) => {
        const { body, headers } = response
        const whole =
          body._tag === "Uint8Array"
            ? HttpServerResponse.uint8Array(Buffer.from(body.body), { contentType: body.contentType, headers })
            : response
        made.set(key, whole)
        return whole
      })
    })
}
