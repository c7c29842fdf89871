/**
 * What clients send is written down as it is, and the database holds neither NUL nor halves of characters: a body that has one anywhere is refused
 * before its fields are looked at, with the field's name.
 */
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { parsedJson } from "../domain/Json.ts"
import { isStorable } from "../domain/PlainText.ts"
import { BadRequest } from "./Errors.ts"
import { isForm } from "./UwsBodyStream.ts"

/** Neither can stand in JSON but as an escape; whoever escapes whole characters too has them looked at below. */
const suspicious = /\\u(?:0000|d[89a-f])/i
/** Longer paths end where they are long enough. */
const longestPath = 200

/** Where in it the first such text is, also as a name; `undefined` when there is none. */
const unstorableIn = (body: unknown): string | undefined => {
  // Not by recursion: bodies may be deep.
  const waiting: Array<readonly [path: string, value: unknown]> = [["", body]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [path, value] = next
    if (typeof value === "string" && !isStorable(value)) return path
    if (typeof value !== "object" || value === null) continue
    for (const [name, inner] of Object.entries(value).reverse()) {
      if (!isStorable(name)) return path
      waiting.push([path.length > longestPath ? path : path === "" ? name : `${path}.${name}`, inner])
    }
  }
  return undefined
}

/** Goes on to `handler` when all of the body can be stored. */
export const withStorableBody = <A, E, R>(handler: Effect.Effect<A, E, R>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    if (request.method === "GET" || isForm(request.headers)) return handler
    return Effect.flatMap(Effect.orDie(request.text), (text): Effect.Effect<A, E | BadRequest, R> => {
      const path = suspicious.test(text) ? unstorableIn(parsedJson(text)) : undefined
      if (path === undefined) return handler
      const field = path === "" ? "The body" : path
      return new BadRequest({
        error: `${field} is invalid: it must not contain NUL characters or halves of characters.`
      })
    })
  })
