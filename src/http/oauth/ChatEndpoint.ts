/**
 * The pop-up in which a team chat is connected: `/api/integrations/slack/connect` leads to the consent, and the consent back to a page that tells the window
 * behind it and closes itself.
 */
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type {
  ConnectionNotFound,
  IntegrationNotAllowed,
  InvalidConnection,
  ProviderUnreachable
} from "../../domain/apps/connecting/ConnectionErrors.ts"
import { makeManageConnections } from "../../domain/apps/connecting/ManageConnections.ts"
import { Acting } from "../../domain/people/access/Audit.ts"
import { UserSessions } from "../../domain/people/access/UserSession.ts"
import { requestOrigin, sessionOfRequest } from "../middleware/Authorization.ts"
import { OwnAddress } from "../wire/OwnAddress.ts"
import { html, page, problemPage } from "../wire/pages/Page.ts"

const provider = "slack"
export const chatPaths = {
  connect: "/api/integrations/slack/connect",
  callback: "/api/integrations/slack/callback"
} as const

/** Tells the page that opened the window, if it is one of ours, and closes the window. */
const script = `if (window.opener) { window.opener.postMessage({ type: "parley.integration.connected", provider: "slack" }, window.location.origin); window.close() }`

const failed = (status: number, sentence: string) => problemPage(status, "Slack is not connected", sentence)
const refusals = {
  IntegrationNotAllowed: ({ message }: IntegrationNotAllowed) => Effect.succeed(failed(403, message)),
  InvalidConnection: ({ message }: InvalidConnection) => Effect.succeed(failed(400, message))
}
const unknown = { ConnectionNotFound: ({ message }: ConnectionNotFound) => Effect.succeed(failed(404, message)) }
const unreachable = {
  ProviderUnreachable: ({ message }: ProviderUnreachable) =>
    Effect.succeed(failed(500, `${message} Please try again in a moment.`))
}

/** A parameter of the answer; one that is there twice counts as none. */
const oneOf = (parameters: URLSearchParams, name: string): string | undefined => {
  const values = parameters.getAll(name)
  return values.length === 1 ? values[0] : undefined
}

/** Needs what `makeManageConnections` needs, UserSessions and OwnAddress. */
export const makeChatEndpoint = Effect.gen(function* () {
  const { publicBaseUrl } = yield* OwnAddress
  const sessions = yield* UserSessions
  const { authorize, authorized } = yield* makeManageConnections(publicBaseUrl)
  const redirectUri = `${publicBaseUrl}${chatPaths.callback}`

  /** The person of the browser, who may connect integrations; else the page that says why not. */
  const person = Effect.gen(function* () {
    const session = yield* sessionOfRequest(sessions)
    if (session === undefined) return failed(401, "You are not signed in in this browser. Sign in, and begin again.")
    if (!session.principal.scopes.includes("admin")) return failed(403, "Only an OWNER or ADMIN may connect Slack.")
    return session
  })

  const connect = Effect.gen(function* () {
    const session = yield* person
    if (!("principal" in session)) return session
    const url = yield* authorize(session.principal.organizationId, provider, session.user.id, redirectUri)
    return HttpServerResponse.empty({ status: 302, headers: { location: url, "cache-control": "no-store" } })
  }).pipe(Effect.catchTags({ ...refusals, ...unknown }))

  const callback = Effect.gen(function* () {
    const session = yield* person
    if (!("principal" in session)) return session
    const { originalUrl } = yield* HttpServerRequest.HttpServerRequest
    const parameters = new URLSearchParams(originalUrl.split("?")[1] ?? "")
    const [code, error, description] = ["code", "error", "error_description"].map((name) => oneOf(parameters, name))
    const given = { state: oneOf(parameters, "state") ?? "", code, error, description, query: {} }
    const acting = { actor: { type: "user", id: session.user.id }, ...(yield* requestOrigin) } as const
    const { connection } = yield* authorized(
      session.principal.organizationId,
      session.user.id,
      given,
      redirectUri
    ).pipe(Effect.provideService(Acting, acting))
    return page({
      status: 200,
      title: "Slack is connected",
      body: html`<h1>${connection?.account.name ?? "The workspace"} is connected</h1>
<p>Choose its channels now, in the settings of the integration.</p><p class="soft">You can close this window.</p>`,
      script
    })
  }).pipe(Effect.catchTags({ ...refusals, ...unreachable }))

  return { connect, callback }
})
