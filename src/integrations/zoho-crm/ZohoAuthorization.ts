/**
 * Authorization by Zoho. A person begins at one accounts server and comes back with the one of their own data centre, which alone knows the code and
 * the tokens. Only Zoho's own servers get the client's secret.
 */
import { Clock, Effect } from "effect"
import { HttpClientRequest } from "effect/http"
import { AppFailure, type AppOAuth } from "../../domain/apps/AppAdapter.ts"
import { type AppClient, makeTokenEndpoint } from "../../domain/apps/adapters/TokenEndpoint.ts"
import { isOk, statusFailure } from "../../domain/apps/StatusFailure.ts"

/** The accounts servers of the data centres. */
const accountsServers = [
  "https://accounts.zoho.com",
  "https://accounts.zoho.eu",
  "https://accounts.zoho.in",
  "https://accounts.zoho.com.au",
  "https://accounts.zoho.jp",
  "https://accounts.zoho.com.cn",
  "https://accounts.zoho.uk",
  "https://accounts.zoho.sa",
  "https://accounts.zohocloud.ca"
]

const scopes = "ZohoCRM.modules.ALL,ZohoCRM.settings.READ,ZohoCRM.org.READ"

const tokens = makeTokenEndpoint({
  who: "Zoho",
  lost: ["invalid_code", "invalid_grant"],
  // "You have made too many requests continuously."
  busy: ["access_denied"],
  beside: ({ api_domain: apiDomain }) =>
    apiDomain !== undefined && URL.canParse(apiDomain)
      ? { apiDomain: new URL(apiDomain).origin }
      : "Zoho did not say in which data centre the organization is."
})

export const makeZohoAuthorization = (
  { accountsUrl, otherAccounts = [] }: { readonly accountsUrl: string; readonly otherAccounts?: ReadonlyArray<string> },
  client: AppClient
): AppOAuth => {
  const known = new Set([accountsUrl, ...accountsServers, ...otherAccounts])
  return {
    authorizeUrl: ({ redirectUri, state }) =>
      `${accountsUrl}/oauth/v2/auth?${new URLSearchParams({
        ...{ response_type: "code", client_id: client.id, redirect_uri: redirectUri, scope: scopes, state },
        ...{ access_type: "offline", prompt: "consent" }
      })}`,
    exchange: Effect.fnUntraced(function* (ask, { code, redirectUri, query = {} }, now) {
      const accountsServer = query["accounts-server"] ?? accountsUrl
      if (!known.has(accountsServer))
        return yield* new AppFailure({ action: "reconnect", message: "This is not an accounts server of Zoho." })
      const given = { grant_type: "authorization_code", code, redirect_uri: redirectUri }
      return yield* tokens(ask, `${accountsServer}/oauth/v2/token`, client, given, { accountsServer }, now)
    }),
    refresh: (ask, credentials, now) => {
      const given = { grant_type: "refresh_token", refresh_token: credentials.refreshToken }
      return tokens(ask, `${credentials.accountsServer}/oauth/v2/token`, client, given, credentials, now)
    },
    revoke: Effect.fnUntraced(function* (ask, { accountsServer, refreshToken }) {
      const url = `${accountsServer}/oauth/v2/token/revoke?${new URLSearchParams({ token: refreshToken })}`
      const answer = yield* ask(HttpClientRequest.post(url))
      if (!isOk(answer)) return yield* statusFailure("Zoho", answer, yield* Clock.currentTimeMillis)
    })
  }
}
