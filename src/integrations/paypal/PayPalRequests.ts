/** Requests to PayPal: the host of the mode, tokens for client id and secret, JSON, and what its refusals mean. */
import { Clock, Effect, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import { type AppAnswer, AppFailure, type AppSession } from "../../domain/apps/AppSession.ts"
import { tokensOf } from "../../domain/apps/AppTokens.ts"
import { makeReadJson, sendJson } from "../../domain/apps/adapters/JsonRequests.ts"
import { isOk, statusFailure } from "../../domain/apps/StatusFailure.ts"

export interface PayPalHosts {
  /** `https://api-m.paypal.com`. */
  readonly baseUrl: string
  /** `https://api-m.sandbox.paypal.com`, where no money moves. */
  readonly sandboxUrl: string
}

export const hostOf = ({ baseUrl, sandboxUrl }: PayPalHosts, { sandbox }: AppSession["settings"]): string =>
  sandbox === true ? sandboxUrl : baseUrl

const Refusal = Schema.Struct({
  message: Schema.optionalKey(Schema.String),
  details: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({ issue: Schema.optionalKey(Schema.String), description: Schema.optionalKey(Schema.String) })
    )
  )
})
const readRefusal = Schema.decodeUnknownOption(Schema.fromJsonString(Refusal))
const longestWords = 300

/** What PayPal calls the reason of a refusal: `ORDER_NOT_APPROVED`. */
export const issueOf = ({ text }: AppAnswer): string | undefined => {
  const found = readRefusal(text)
  return found._tag === "Some" ? found.value.details?.find(({ issue }) => issue !== undefined)?.issue : undefined
}

const refused = (answer: AppAnswer, now: number): AppFailure => {
  const found = readRefusal(answer.text)
  const { message = "", details = [] } = found._tag === "Some" ? found.value : {}
  const words = (details[0]?.description ?? message).slice(0, longestWords)
  return answer.status === 403
    ? new AppFailure({ action: "reconnect", message: `The app lacks a permission at PayPal. ${words}`.trim() })
    : statusFailure("PayPal", answer, now, words)
}

export const decodedPayPal = makeReadJson("PayPal", refused)

const Token = Schema.Struct({ access_token: Schema.String, expires_in: Schema.Number })

/** All credentials, with a new token. */
export const renewedToken = Effect.fnUntraced(function* (
  hosts: PayPalHosts,
  ask: AppSession["ask"],
  { credentials, settings }: Pick<AppSession, "credentials" | "settings">,
  now: number
) {
  const { clientId = "", clientSecret = "" } = credentials
  const answer = yield* ask(
    HttpClientRequest.post(`${hostOf(hosts, settings)}/v1/oauth2/token`).pipe(
      HttpClientRequest.basicAuth(clientId, clientSecret),
      HttpClientRequest.acceptJson,
      HttpClientRequest.bodyText("grant_type=client_credentials", "application/x-www-form-urlencoded")
    )
  )
  if (answer.status === 400 || answer.status === 401)
    return yield* new AppFailure({
      action: "reconnect",
      message:
        "PayPal refuses client id and secret. Those of the sandbox need settings.sandbox, and the others must not have it."
    })
  const { access_token: accessToken, expires_in: lifetimeSeconds } = yield* decodedPayPal(Token, answer)
  return tokensOf(credentials, { accessToken, lifetimeSeconds }, now)
})

interface Asked {
  readonly method: "GET" | "POST" | "DELETE"
  readonly path: string
  readonly body?: unknown
  /** The same for each attempt, so that PayPal does it once. */
  readonly requestId?: string
}

/** Sends a request with the token of the session, and gives its answer with any status. */
export const askPayPal = (hosts: PayPalHosts, session: AppSession, { method, path, body, requestId }: Asked) =>
  sendJson(session, {
    method,
    url: hostOf(hosts, session.settings) + path,
    headers: {
      authorization: `Bearer ${session.credentials.accessToken ?? ""}`,
      prefer: "return=representation",
      ...(requestId === undefined ? {} : { "paypal-request-id": requestId })
    },
    body
  })

/** Nothing is in the body of a success. */
export const succeeded = Effect.fnUntraced(function* (answer: AppAnswer) {
  if (!isOk(answer)) return yield* refused(answer, yield* Clock.currentTimeMillis)
})
