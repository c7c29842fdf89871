/**
 * The window in which a person agrees at the provider of an integration, and comes back to a page that says how it went and closes itself. A team chat has a
 * callback of its own, and an address that leads to the consent: `/api/integrations/slack/connect`.
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
import { connectPaths } from "../wire/pages/ConnectPaths.ts"
import { html, page, problemPage } from "../wire/pages/Page.ts"

/** Tells the page that opened the window, if it is one of ours, and closes the window. */
const slackScript = `if (window.opener) { window.opener.postMessage({ type: "parley.integration.connected", provider: "slack" }, window.location.origin); window.close() }`
/** Where a browser does not let a page close its window, the person reads that it may be closed. */
const script = "window.close()"

const failed = (status: number, sentence: string) => problemPage(status, "The integration is not connected", sentence)
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

/** What Zoho adds: the data centre of the person. */
const added = ["location", "accounts-server"] as const

/** Needs what `makeManageConnections` needs, UserSessions and OwnAddress. */
export const makeConnectEndpoint = Effect.gen(function* () {
  const { publicBaseUrl } = yield* OwnAddress
  const sessions = yield* UserSessions
  const { authorize, authorized } = yield* makeManageConnections(publicBaseUrl)

  /** The person of the browser, who may connect integrations; else the page that says why not. */
  const person = Effect.gen(function* () {
    const session = yield* sessionOfRequest(sessions)
    if (session === undefined) return failed(401, "You are not signed in in this browser. Sign in, and begin again.")
    if (!session.principal.scopes.includes("admin"))
      return failed(403, "Only an OWNER or ADMIN may connect integrations.")
    return session
  })

  const slack = Effect.gen(function* () {
    const session = yield* person
    if (!("principal" in session)) return session
    const redirectUri = `${publicBaseUrl}${connectPaths.slackCallback}`
    const url = yield* authorize(session.principal.organizationId, "slack", session.user.id, redirectUri)
    return HttpServerResponse.empty({ status: 302, headers: { location: url, "cache-control": "no-store" } })
  }).pipe(Effect.catchTags({ ...refusals, ...unknown }))

  const cameBack = Effect.fnUntraced(
    function* (path: string) {
      const session = yield* person
      if (!("principal" in session)) return session
      const { originalUrl } = yield* HttpServerRequest.HttpServerRequest
      const parameters = new URLSearchParams(originalUrl.split("?")[1] ?? "")
      const [code, error, description] = ["code", "error", "error_description"].map((name) => oneOf(parameters, name))
      const query: Record<string, string> = {}
      for (const name of added) {
        const value = oneOf(parameters, name)
        if (value !== undefined) query[name] = value
      }
      const given = { state: oneOf(parameters, "state") ?? "", code, error, description, query }
      const acting = { actor: { type: "user", id: session.user.id }, ...(yield* requestOrigin) } as const
      const { connection, title } = yield* authorized(
        session.principal.organizationId,
        session.user.id,
        given,
        `${publicBaseUrl}${path}`
      ).pipe(Effect.provideService(Acting, acting))
      const isSlack = path === connectPaths.slackCallback
      const next = isSlack
        ? "Choose its channels now, in the settings of the integration."
        : "The page behind this window shows it in a moment."
      return page({
        status: 200,
        title: `${title} is connected`,
        body: html`<h1>${title} is connected: ${connection?.account.name ?? ""}</h1>
<p>${next}</p><p class="soft">You can close this window.</p>`,
        script: isSlack ? slackScript : script
      })
    },
    Effect.catchTags({ ...refusals, ...unreachable })
  )

  return { slack, callback: cameBack(connectPaths.callback), slackCallback: cameBack(connectPaths.slackCallback) }
})
