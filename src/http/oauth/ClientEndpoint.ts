/**
 * This service as a client of other authorization servers, those of external MCP servers: what it is, and where people come back to. The answer is a page
 * that says how it went; the person closes it.
 */
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { makeAuthorizeMcpServer } from "../../domain/ai/tools/AuthorizeMcpServer.ts"
import { ownMetadata } from "../../domain/ai/tools/McpOAuth.ts"
import { Acting } from "../../domain/people/access/Audit.ts"
import { UserSessions } from "../../domain/people/access/UserSession.ts"
import { requestOrigin, sessionOfRequest } from "../middleware/Authorization.ts"
import { ownClient } from "../server/McpAddress.ts"
import { OwnAddress } from "../wire/OwnAddress.ts"
import { html, page, problemPage } from "../wire/pages/Page.ts"

const failed = (status: number, sentence: string) => problemPage(status, "The server is not authorized", sentence)

const notSignedIn =
  "You are not signed in in this browser, so nobody knows for whom this is. Sign in, and begin again from the settings of the server."

/** A parameter of the answer; one that is there twice counts as none. */
const oneOf = (parameters: URLSearchParams, name: string): string | undefined => {
  const values = parameters.getAll(name)
  return values.length === 1 ? values[0] : undefined
}

/** Needs what AuthorizeMcpServer needs, UserSessions and OwnAddress. */
export const makeClientEndpoint = Effect.gen(function* () {
  const { publicBaseUrl } = yield* OwnAddress
  const sessions = yield* UserSessions
  const { finish } = yield* makeAuthorizeMcpServer
  const { redirectUri, metadataUrl } = ownClient(publicBaseUrl)

  /** Our client id metadata document. Its address is our client id. */
  const metadata = HttpServerResponse.jsonUnsafe(
    { client_id: metadataUrl, client_uri: publicBaseUrl, ...ownMetadata({ redirectUri }) },
    { headers: { "cache-control": "public, max-age=3600" } }
  )

  const callback = Effect.gen(function* () {
    const session = yield* sessionOfRequest(sessions)
    if (session === undefined) return failed(401, notSignedIn)
    const { principal, user } = session
    if (!principal.scopes.includes("admin")) return failed(403, "Only an OWNER or ADMIN may authorize a server.")
    const { originalUrl } = yield* HttpServerRequest.HttpServerRequest
    const parameters = new URLSearchParams(originalUrl.split("?")[1] ?? "")
    const [code, iss, error] = ["code", "iss", "error"].map((name) => oneOf(parameters, name))
    const answer = { state: oneOf(parameters, "state") ?? "", code, iss, error }
    const acting = { actor: { type: "user", id: user.id }, ...(yield* requestOrigin) } as const
    const { name, health } = yield* finish(principal.organizationId, user.id, answer, redirectUri).pipe(
      Effect.provideService(Acting, acting)
    )
    const next =
      health.error === null
        ? "Agents may use its tools when somebody has approved them."
        : `But it could not be asked: ${health.error}`
    return page({
      status: 200,
      title: "The server is authorized",
      body: html`<h1>${name} is authorized</h1><p>${next}</p><p class="soft">You can close this window.</p>`
    })
  }).pipe(
    Effect.catchTags({
      McpNotAuthorized: ({ message }) => Effect.succeed(failed(400, message)),
      McpNotAllowed: ({ message }) => Effect.succeed(failed(403, message)),
      NoSuchMcpServer: () => Effect.succeed(failed(404, "The server was removed meanwhile."))
    })
  )

  return { metadata, callback }
})
