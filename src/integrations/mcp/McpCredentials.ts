/** What requests to a server are authorized with: its fixed token, or the access token of OAuth, which is renewed when it ends or the server refuses it. */
import { type AuthProvider, extractWWWAuthenticateParams } from "@modelcontextprotocol/client"
import { Context, Effect, Layer } from "effect"
import { makeMcpAccess } from "../../domain/ai/tools/McpAccess.ts"
import { listedScopes, type McpGrant, McpGrants } from "../../domain/ai/tools/McpGrant.ts"
import { type McpServer, McpServers } from "../../domain/ai/tools/McpServer.ts"
import { McpFailure } from "./Failures.ts"

/** Port within the adapter, so that a connection asks for its token when it needs it. */
export class McpCredentials extends Context.Service<
  McpCredentials,
  {
    readonly of: (server: McpServer) => Effect.Effect<AuthProvider>
    /** The server has refused a request because the token lacks these scopes: the next authorization asks for them. */
    readonly wants: (server: McpServer, scope: string) => Effect.Effect<void>
  }
>()("parley/integrations/McpCredentials") {}

const unauthorized = (message: string) => new McpFailure({ kind: "unauthorized", message })

/** A server that says where it is authorized is told apart from one that has refused a token. */
const refusedWithoutGrant = (response: Response, { auth }: McpServer) => {
  if (auth.type === "oauth") return unauthorized("A person must authorize this server first.")
  const { resourceMetadataUrl } = extractWWWAuthenticateParams(response)
  return unauthorized(
    resourceMetadataUrl === undefined
      ? "The server refuses our credentials (status 401)."
      : `The server refuses our credentials (status 401). It can be authorized by OAuth: set auth.type to "oauth".`
  )
}

/** Needs McpServers, McpGrants, McpOAuth and Exclusive. */
export const layer = Layer.effect(
  McpCredentials,
  Effect.gen(function* () {
    const servers = yield* McpServers
    const grants = yield* McpGrants
    const usable = yield* makeMcpAccess
    const run = Effect.runPromiseWith(yield* Effect.context<never>())

    const access = (grant: McpGrant, refused = false) =>
      Effect.mapError(usable(grant, refused), ({ message, final }) =>
        final ? unauthorized(message) : new McpFailure({ kind: "refused", message })
      )

    const byGrant = (server: McpServer): AuthProvider => {
      const { organizationId, id } = server
      /** What the last request was sent with. */
      let sent: McpGrant | undefined
      return {
        token: () =>
          run(
            Effect.gen(function* () {
              const grant = yield* grants.find(organizationId, id)
              sent = grant === undefined ? undefined : yield* access(grant)
              return sent?.tokens.accessToken
            })
          ),
        onUnauthorized: ({ response }) =>
          run(
            Effect.gen(function* () {
              yield* Effect.promise(() => response.body?.cancel() ?? Promise.resolve())
              if (sent === undefined) return yield* refusedWithoutGrant(response, server)
              sent = yield* access(sent, true)
            })
          )
      }
    }

    return McpCredentials.of({
      of: Effect.fnUntraced(function* (server) {
        if (server.auth.type === "oauth") return byGrant(server)
        const { token } = yield* servers.secrets(server.organizationId, server.id)
        return {
          token: () => Promise.resolve(token),
          onUnauthorized: ({ response }) => Promise.reject(refusedWithoutGrant(response, server))
        }
      }),
      wants: Effect.fnUntraced(function* ({ organizationId, id }, scope) {
        const grant = yield* grants.find(organizationId, id)
        if (grant === undefined) return
        const had = new Set(listedScopes(grant.tokens.scope))
        const wanted = listedScopes(...grant.wanted, scope).filter((name) => !had.has(name))
        yield* grants.want(organizationId, id, wanted.slice(0, 50))
      })
    })
  })
)
