/** Authorization by Salesforce: an External Client App of the operator, with PKCE. The answer names the organization's own address. */

import { Clock, Effect } from "effect"
import { HttpClientRequest } from "effect/http"
import type { AppOAuth } from "../../domain/apps/AppAdapter.ts"
import { type AppClient, makeTokenEndpoint } from "../../domain/apps/adapters/TokenEndpoint.ts"
import { isOk, statusFailure } from "../../domain/apps/StatusFailure.ts"

const tokens = makeTokenEndpoint({
  who: "Salesforce",
  beside: ({ instance_url: instanceUrl }) =>
    instanceUrl !== undefined && URL.canParse(instanceUrl)
      ? { instanceUrl: new URL(instanceUrl).origin }
      : "Salesforce did not say at which address the organization is."
})

const notInstalled =
  "Salesforce blocks the app for this user. An administrator has to install it: Setup, Connected Apps OAuth Usage, Install; then authorize again."

/** `loginUrl`: `https://login.salesforce.com`, `https://test.salesforce.com` for sandboxes. */
export const makeSalesforceAuthorization = (loginUrl: string, client: AppClient): AppOAuth => {
  const endpoint = `${loginUrl}/services/oauth2/token`
  return {
    authorizeUrl: ({ redirectUri, state, challenge }) =>
      `${loginUrl}/services/oauth2/authorize?${new URLSearchParams({
        ...{
          response_type: "code",
          client_id: client.id,
          redirect_uri: redirectUri,
          scope: "api refresh_token",
          state
        },
        ...{ code_challenge: challenge, code_challenge_method: "S256", prompt: "login consent" }
      })}`,
    exchange: (ask, { code, verifier, redirectUri }, now) => {
      const given = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier }
      return tokens(ask, endpoint, client, given, {}, now)
    },
    refresh: (ask, credentials, now) => {
      const given = { grant_type: "refresh_token", refresh_token: credentials.refreshToken }
      return tokens(ask, endpoint, client, given, credentials, now)
    },
    revoke: Effect.fnUntraced(function* (ask, credentials) {
      const answer = yield* ask(
        HttpClientRequest.post(`${loginUrl}/services/oauth2/revoke`).pipe(
          HttpClientRequest.bodyText(
            new URLSearchParams({ token: credentials.refreshToken }).toString(),
            "application/x-www-form-urlencoded"
          )
        )
      )
      if (!isOk(answer)) return yield* statusFailure("Salesforce", answer, yield* Clock.currentTimeMillis)
    }),
    declined: (error, description) =>
      /not approved|uninstalled|OAUTH_(APP_BLOCKED|APP_ACCESS_DENIED|APPROVAL|AUTHORIZATION_BLOCKED|EC_APP)/i.test(
        `${error} ${description}`
      )
        ? notInstalled
        : undefined
  }
}
