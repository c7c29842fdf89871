/** Authorization by HubSpot: the dated endpoints, which take the client's credentials in the form. */
import { Clock, Effect, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import { AppFailure, type AppOAuth, type AppSession } from "../../domain/apps/AppAdapter.ts"
import { tokensOf } from "../../domain/apps/AppTokens.ts"
import { isOk, statusFailure } from "../../domain/apps/StatusFailure.ts"

export interface HubSpotClient {
  readonly id: string
  readonly secret: string
}

const scopes = "crm.objects.contacts.read crm.objects.contacts.write crm.schemas.contacts.read crm.objects.deals.read"

const Tokens = Schema.Struct({
  access_token: Schema.String,
  refresh_token: Schema.String,
  expires_in: Schema.Number
})
const Refusal = Schema.Struct({ error: Schema.optionalKey(Schema.String) })
const readRefusal = Schema.decodeUnknownOption(Schema.fromJsonString(Refusal))

export const makeHubSpotAuthorization = (
  { baseUrl, authorizeUrl }: { readonly baseUrl: string; readonly authorizeUrl: string },
  client: HubSpotClient
): AppOAuth => {
  const tokens = Effect.fnUntraced(function* (
    ask: AppSession["ask"],
    fields: Readonly<Record<string, string>>,
    before: Readonly<Record<string, string>>,
    now: number
  ) {
    const form = new URLSearchParams({ ...fields, client_id: client.id, client_secret: client.secret })
    const answer = yield* ask(
      HttpClientRequest.post(`${baseUrl}/oauth/2026-03/token`).pipe(
        HttpClientRequest.bodyText(form.toString(), "application/x-www-form-urlencoded")
      )
    )
    if (!isOk(answer)) {
      const found = readRefusal(answer.text)
      const lost = found._tag === "Some" && found.value.error === "invalid_grant"
      if (lost)
        return yield* new AppFailure({
          action: "reconnect",
          message: "HubSpot does not take our authorization any more.",
          final: true
        })
      return yield* statusFailure("HubSpot", answer, yield* Clock.currentTimeMillis)
    }
    const given = yield* Effect.mapError(
      Schema.decodeUnknownEffect(Schema.fromJsonString(Tokens))(answer.text),
      () => new AppFailure({ action: "retry", message: "HubSpot's answer could not be read." })
    )
    const { access_token: accessToken, refresh_token: refreshToken, expires_in: lifetimeSeconds } = given
    return tokensOf(before, { accessToken, refreshToken, lifetimeSeconds }, now)
  })

  return {
    authorizeUrl: ({ redirectUri, state }) =>
      `${authorizeUrl}?${new URLSearchParams({ client_id: client.id, redirect_uri: redirectUri, scope: scopes, state })}`,
    exchange: (ask, { code, redirectUri }, now) =>
      tokens(ask, { grant_type: "authorization_code", code, redirect_uri: redirectUri }, {}, now),
    refresh: (ask, credentials, now) =>
      tokens(ask, { grant_type: "refresh_token", refresh_token: credentials.refreshToken }, credentials, now)
  }
}
