/** What requests to a server are authorized with: its fixed token, or the OAuth token, which is renewed when the server refuses it. */
import type { AuthProvider } from "@modelcontextprotocol/client"
import { Context, Effect, Layer } from "effect"
import { type McpServer, McpServers } from "../../domain/ai/tools/McpServer.ts"

/** Port within the adapter, so that a connection asks for its token when it needs it. */
export class McpCredentials extends Context.Service<
  McpCredentials,
  { readonly of: (server: McpServer) => Effect.Effect<AuthProvider | undefined> }
>()("parley/integrations/McpCredentials") {}

/** Needs McpServers. */
export const layer = Layer.effect(
  McpCredentials,
  Effect.gen(function* () {
    const servers = yield* McpServers
    return McpCredentials.of({
      of: Effect.fnUntraced(function* ({ organizationId, id, auth }) {
        if (auth.type !== "token") return undefined
        const { token } = yield* servers.secrets(organizationId, id)
        return token === undefined ? undefined : { token: () => Promise.resolve(token) }
      })
    })
  })
)
