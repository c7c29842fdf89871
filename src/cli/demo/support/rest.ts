/** The demo's requests to the REST interface of the service. */
import { Effect, Schema } from "effect"

/** The demo could not be set up or carried out; the message says which step. */
export class DemoFailed extends Schema.TaggedError<DemoFailed>()("DemoFailed", { message: Schema.String }) {}

/** The address of the service and an API key. */
export interface Access {
  readonly baseUrl: string
  readonly key: string
}

/** Sends a request and returns the answer's JSON. Fails with `DemoFailed` unless it succeeds. */
export const ask = Effect.fnUntraced(function* (
  { baseUrl, key }: Access,
  method: "GET" | "POST" | "PUT" | "PATCH",
  path: string,
  body?: object
) {
  const { status, json } = yield* Effect.tryPromise({
    try: async () => {
      const answer = await fetch(baseUrl + path, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      return { status: answer.status, json: (await answer.json()) as Readonly<Record<string, unknown>> }
    },
    catch: (cause) => new DemoFailed({ message: `The service does not answer: ${cause}` })
  })
  return status < 300 ? json : yield* new DemoFailed({ message: `${method} ${path} gave ${status}: ${json.error}` })
})

const Made = Schema.Struct({ id: Schema.String })

/** Sends a POST and returns the id of what it created. */
export const made = (access: Access, path: string, body: object) =>
  Effect.flatMap(ask(access, "POST", path, body), (answer) =>
    Effect.map(Effect.orDie(Schema.decodeUnknownEffect(Made)(answer)), ({ id }) => id)
  )
