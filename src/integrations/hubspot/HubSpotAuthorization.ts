/** Authorization by HubSpot: the dated endpoints, which take the client's credentials in the form. */
import type { AppOAuth } from "../../domain/apps/AppAdapter.ts"
import { type AppClient, makeTokenEndpoint } from "../../domain/apps/adapters/TokenEndpoint.ts"

const scopes = "crm.objects.contacts.read crm.objects.contacts.write crm.schemas.contacts.read crm.objects.deals.read"
const tokens = makeTokenEndpoint({ who: "HubSpot" })

export const makeHubSpotAuthorization = (
  { baseUrl, authorizeUrl }: { readonly baseUrl: string; readonly authorizeUrl: string },
  client: AppClient
): AppOAuth => {
  const endpoint = `${baseUrl}/oauth/2026-03/token`
  return {
    authorizeUrl: ({ redirectUri, state }) =>
      `${authorizeUrl}?${new URLSearchParams({ client_id: client.id, redirect_uri: redirectUri, scope: scopes, state })}`,
    exchange: (ask, { code, redirectUri }, now) => {
      const given = { grant_type: "authorization_code", code, redirect_uri: redirectUri }
      return tokens(ask, endpoint, client, given, {}, now)
    },
    refresh: (ask, credentials, now) => {
      const given = { grant_type: "refresh_token", refresh_token: credentials.refreshToken }
      return tokens(ask, endpoint, client, given, credentials, now)
    }
  }
}
