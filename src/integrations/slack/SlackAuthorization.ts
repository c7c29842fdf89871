/** Authorization by Slack: the operator's app is installed into a workspace. With token rotation a token lives for twelve hours. */
import { Effect, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import { AppFailure, type AppOAuth, type AppSession } from "../../domain/apps/AppAdapter.ts"
import { tokensOf } from "../../domain/apps/AppTokens.ts"
import type { AppClient } from "../../domain/apps/adapters/TokenEndpoint.ts"
import { isOk, statusFailure } from "../../domain/apps/StatusFailure.ts"
import { refusalOf } from "./SlackRequests.ts"

/** What the app needs in a workspace. */
const slackScopes = [
  ...[
    "app_mentions:read",
    "channels:history",
    "channels:join",
    "channels:read",
    "chat:write",
    "files:read",
    "files:write"
  ],
  ...["groups:history", "groups:read", "im:history", "im:read", "im:write", "mpim:history", "mpim:read"],
  ...["team:read", "users:read", "users:read.email"]
]

const Given = Schema.Struct({
  ok: Schema.Boolean,
  error: Schema.optionalKey(Schema.String),
  access_token: Schema.optionalKey(Schema.String),
  refresh_token: Schema.optionalKey(Schema.String),
  expires_in: Schema.optionalKey(Schema.Number),
  bot_user_id: Schema.optionalKey(Schema.String),
  team: Schema.optionalKey(Schema.NullOr(Schema.Struct({ id: Schema.String }))),
  is_enterprise_install: Schema.optionalKey(Schema.Boolean)
})
const readGiven = Schema.decodeUnknownOption(Schema.fromJsonString(Given))

/** Errors of a refused code: the person has to begin again. */
const spentCodes = new Set(["invalid_code", "code_already_used", "bad_redirect_uri"])

export const makeSlackAuthorization = (baseUrl: string, client: AppClient): AppOAuth => {
  const tokens = Effect.fnUntraced(function* (
    ask: AppSession["ask"],
    fields: Readonly<Record<string, string>>,
    before: Readonly<Record<string, string>>,
    now: number
  ) {
    const form = new URLSearchParams({ ...fields, client_id: client.id, client_secret: client.secret })
    const answer = yield* ask(
      HttpClientRequest.post(`${baseUrl}/api/oauth.v2.access`).pipe(
        HttpClientRequest.acceptJson,
        HttpClientRequest.bodyText(form.toString(), "application/x-www-form-urlencoded")
      )
    )
    if (!isOk(answer)) return yield* statusFailure("Slack", answer, now)
    const read = readGiven(answer.text)
    if (read._tag === "None")
      return yield* new AppFailure({ action: "retry", message: "Slack's answer could not be read." })
    const { ok, error = "unknown_error", access_token: accessToken, refresh_token, expires_in, ...given } = read.value
    if (!ok && spentCodes.has(error))
      return yield* new AppFailure({
        action: "give_up",
        message: "Slack does not take this consent any more. Please begin again."
      })
    if (!ok) {
      const failure = refusalOf(error)
      // A refused client is no reason to give up what waits.
      return yield* failure.action === "give_up"
        ? new AppFailure({ action: "reconnect", message: `Slack does not authorize us (${error}).` })
        : failure
    }
    const teamId = given.team?.id ?? before.teamId
    if (accessToken === undefined || teamId === undefined || given.is_enterprise_install === true)
      return yield* new AppFailure({
        action: "give_up",
        message: "The app must be installed into one workspace, not into a whole organization of Slack."
      })
    const botUserId = given.bot_user_id ?? before.botUserId
    const kept = { ...before, teamId, ...(botUserId === undefined ? {} : { botUserId }) }
    return tokensOf(kept, { accessToken, refreshToken: refresh_token, lifetimeSeconds: expires_in }, now)
  })

  return {
    authorizeUrl: ({ redirectUri, state }) =>
      `${baseUrl}/oauth/v2/authorize?${new URLSearchParams({
        ...{ client_id: client.id, scope: slackScopes.join(","), user_scope: "", redirect_uri: redirectUri, state }
      })}`,
    exchange: (ask, { code, redirectUri }, now) => tokens(ask, { code, redirect_uri: redirectUri }, {}, now),
    refresh: (ask, credentials, now) =>
      tokens(ask, { grant_type: "refresh_token", refresh_token: credentials.refreshToken }, credentials, now),
    declined: (error) =>
      error === "access_denied" ? "The app was not allowed into the workspace. Nothing was connected." : undefined
  }
}
