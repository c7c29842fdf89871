/** Authorization by Notion: a public integration of the operator. The client's credentials are sent as Basic, the fields as JSON. */
import { Effect, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import { AppFailure, type AppOAuth, type AppSession } from "../../domain/apps/AppAdapter.ts"
import { tokensOf } from "../../domain/apps/AppTokens.ts"
import type { AppClient } from "../../domain/apps/adapters/TokenEndpoint.ts"
import { isOk, statusFailure } from "../../domain/apps/StatusFailure.ts"
import { notionVersion } from "./NotionRequests.ts"

const Tokens = Schema.Struct({
  access_token: Schema.String,
  refresh_token: Schema.optionalKey(Schema.NullOr(Schema.String)),
  bot_id: Schema.optionalKey(Schema.String)
})
const Refusal = Schema.Struct({ error: Schema.optionalKey(Schema.String) })
const readTokens = Schema.decodeUnknownOption(Schema.fromJsonString(Tokens))
const readRefusal = Schema.decodeUnknownOption(Schema.fromJsonString(Refusal))

export const makeNotionAuthorization = (baseUrl: string, client: AppClient): AppOAuth => {
  const tokens = Effect.fnUntraced(function* (
    ask: AppSession["ask"],
    fields: Readonly<Record<string, string>>,
    before: Readonly<Record<string, string>>,
    now: number
  ) {
    const answer = yield* ask(
      HttpClientRequest.post(`${baseUrl}/v1/oauth/token`).pipe(
        HttpClientRequest.basicAuth(client.id, client.secret),
        HttpClientRequest.setHeader("notion-version", notionVersion),
        HttpClientRequest.bodyText(JSON.stringify(fields), "application/json")
      )
    )
    const refusal = readRefusal(answer.text)
    const error = refusal._tag === "Some" ? refusal.value.error : undefined
    if (!isOk(answer) && error === "invalid_grant")
      return yield* new AppFailure({
        action: "reconnect",
        message: "Notion does not take our authorization any more.",
        final: true
      })
    if (!isOk(answer)) {
      const failure = statusFailure("Notion", answer, now, error)
      return yield* failure.action === "give_up"
        ? new AppFailure({ action: "reconnect", message: failure.message })
        : failure
    }
    const given = readTokens(answer.text)
    if (given._tag === "None")
      return yield* new AppFailure({ action: "retry", message: "Notion's answer could not be read." })
    const { access_token: accessToken, refresh_token } = given.value
    return tokensOf(before, { accessToken, refreshToken: refresh_token ?? undefined }, now)
  })

  return {
    authorizeUrl: ({ redirectUri, state }) =>
      `${baseUrl}/v1/oauth/authorize?${new URLSearchParams({
        ...{ client_id: client.id, response_type: "code", owner: "user", redirect_uri: redirectUri, state }
      })}`,
    exchange: (ask, { code, redirectUri }, now) =>
      tokens(ask, { grant_type: "authorization_code", code, redirect_uri: redirectUri }, {}, now),
    refresh: (ask, credentials, now) =>
      tokens(ask, { grant_type: "refresh_token", refresh_token: credentials.refreshToken }, credentials, now)
  }
}
