/** Requests to Stripe: forms with brackets, and what its refusals mean. */
import { Clock, Effect, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import { type AppAnswer, AppFailure, type AppSession } from "../../domain/apps/AppSession.ts"
import { isOk, statusFailure } from "../../domain/apps/StatusFailure.ts"

/** The version of Stripe's interface that this adapter is written for. */
export const stripeVersion = "2026-10-28.endive"

type Value = string | number | boolean | undefined | { readonly [name: string]: Value } | ReadonlyArray<Value>

const pairs = (name: string, value: Value): ReadonlyArray<[string, string]> => {
  if (value === undefined) return []
  if (typeof value !== "object") return [[name, String(value)]]
  const inner: ReadonlyArray<readonly [string, Value]> = Object.entries(value)
  return inner.flatMap(([key, one]) => pairs(`${name}[${key}]`, one))
}

/** A body as Stripe reads it: `line_items[0][quantity]=1`. */
export const formOf = (fields: Readonly<Record<string, Value>>): string =>
  new URLSearchParams(Object.entries(fields).flatMap(([name, value]) => [...pairs(name, value)])).toString()

const Refusal = Schema.Struct({
  error: Schema.Struct({
    type: Schema.optionalKey(Schema.String),
    code: Schema.optionalKey(Schema.String),
    message: Schema.optionalKey(Schema.String)
  })
})
const readRefusal = Schema.decodeUnknownOption(Schema.fromJsonString(Refusal))
const longestWords = 300

/** What follows from an answer that is no success. */
export const refused = (answer: AppAnswer, now: number): AppFailure => {
  const found = readRefusal(answer.text)
  const { code, message = "" } = found._tag === "Some" ? found.value.error : {}
  const words = message.slice(0, longestWords)
  if (answer.status === 401)
    return new AppFailure({
      action: "reconnect",
      message: `Stripe refuses the secret key. ${words}`,
      final: code === "api_key_expired"
    })
  if (answer.status === 403)
    return new AppFailure({ action: "reconnect", message: `The key lacks a permission at Stripe. ${words}` })
  // Another request with the same Idempotency-Key is under way.
  if (answer.status === 409)
    return new AppFailure({ action: "retry", message: `Stripe is still busy with it. ${words}` })
  return statusFailure("Stripe", answer, now, words)
}

interface Asked {
  readonly method: "GET" | "POST" | "DELETE"
  readonly path: string
  readonly fields?: Readonly<Record<string, Value>>
  /** The same for each attempt, so that Stripe does it once. */
  readonly idempotencyKey?: string
}

/** Sends a request with the secret key, and gives its answer with any status. */
export const sent = (baseUrl: string, { ask, credentials }: AppSession, asked: Asked) => {
  const { method, path, fields = {}, idempotencyKey } = asked
  const form = formOf(fields)
  const query = method === "GET" && form !== "" ? `?${form}` : ""
  const bare = HttpClientRequest.make(method)(baseUrl + path + query).pipe(
    HttpClientRequest.bearerToken(credentials.secretKey),
    HttpClientRequest.setHeaders({
      "stripe-version": stripeVersion,
      ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey })
    }),
    HttpClientRequest.acceptJson
  )
  return ask(method === "POST" ? HttpClientRequest.bodyText(bare, form, "application/x-www-form-urlencoded") : bare)
}

/** The decoded body of a success; every other status is a failure. */
export const readAnswer = Effect.fnUntraced(function* <A>(schema: Schema.Decoder<A>, answer: AppAnswer) {
  if (!isOk(answer)) return yield* refused(answer, yield* Clock.currentTimeMillis)
  return yield* Effect.mapError(
    Schema.decodeUnknownEffect(Schema.fromJsonString(schema))(answer.text),
    () => new AppFailure({ action: "retry", message: "Stripe's answer could not be read." })
  )
})
