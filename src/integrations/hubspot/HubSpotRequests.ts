/** Requests to HubSpot, and what its refusals mean. */
import { Clock, Effect, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import { type AppAnswer, AppFailure, type AppSession } from "../../domain/apps/AppAdapter.ts"
import { isOk, statusFailure } from "../../domain/apps/StatusFailure.ts"

const Refusal = Schema.Struct({
  message: Schema.optionalKey(Schema.String),
  category: Schema.optionalKey(Schema.String),
  policyName: Schema.optionalKey(Schema.String)
})
const readRefusal = Schema.decodeUnknownOption(Schema.fromJsonString(Refusal))

/** HubSpot starts a day's limit anew at midnight of the account; a quarter of an hour later it is asked again. */
const dailyWaitMs = 15 * 60_000
const longestWords = 300

export const refusalOf = ({ text }: AppAnswer): typeof Refusal.Type => {
  const found = readRefusal(text)
  return found._tag === "Some" ? found.value : {}
}

/** What follows from an answer that is no success. */
export const refused = (answer: AppAnswer, now: number): AppFailure => {
  const { message = "", category, policyName } = refusalOf(answer)
  const words = message.slice(0, longestWords)
  if (answer.status === 403 || category === "MISSING_SCOPES")
    return new AppFailure({
      action: "reconnect",
      message: `HubSpot does not allow it (403): the app lacks a scope. ${words}`
    })
  if (answer.status === 429 && policyName === "DAILY")
    return new AppFailure({
      action: "wait",
      message: "HubSpot's limit of the day is used up.",
      retryAfterMs: dailyWaitMs
    })
  return statusFailure("HubSpot", answer, now, words)
}

interface Asked {
  readonly method: "GET" | "POST" | "PATCH"
  readonly path: string
  readonly body?: unknown
}

/** Sends a request with the access token, and gives its answer with any status. */
export const sent = (baseUrl: string, { ask, credentials }: AppSession, { method, path, body }: Asked) => {
  const bare = HttpClientRequest.make(method)(baseUrl + path).pipe(
    HttpClientRequest.bearerToken(credentials.accessToken),
    HttpClientRequest.acceptJson
  )
  return ask(body === undefined ? bare : HttpClientRequest.bodyText(bare, JSON.stringify(body), "application/json"))
}

/** The decoded body of a success; every other status is a failure. */
export const readAnswer = Effect.fnUntraced(function* <A>(schema: Schema.Decoder<A>, answer: AppAnswer) {
  if (!isOk(answer)) return yield* refused(answer, yield* Clock.currentTimeMillis)
  return yield* Effect.mapError(
    Schema.decodeUnknownEffect(Schema.fromJsonString(schema))(answer.text),
    () => new AppFailure({ action: "retry", message: "HubSpot's answer could not be read." })
  )
})
