/** A pool of connections with one MCP server, whose record is in memory. */
import { Effect, Layer, type Scope } from "effect"
import { McpClient } from "../../../src/domain/ai/tools/McpClient.ts"
import { McpGrants } from "../../../src/domain/ai/tools/McpGrant.ts"
import { McpOAuth } from "../../../src/domain/ai/tools/McpOAuth.ts"
import { type McpServer, McpServers } from "../../../src/domain/ai/tools/McpServer.ts"
import { Exclusive } from "../../../src/domain/basics/Exclusive.ts"
import * as McpCredentials from "../../../src/integrations/mcp/McpCredentials.ts"
import * as McpPool from "../../../src/integrations/mcp/McpPool.ts"

/** The server's record: it shows what the pool stored of it. */
export const serverAt = (url: string, changes: Partial<McpServer> = {}): McpServer => ({
  id: "mcs_1",
  organizationId: "org_1",
  name: "Parcels",
  url,
  timeoutMs: 1_000,
  auth: { type: "none" },
  transport: null,
  health: { status: "unknown", checkedAt: null, error: null },
  offered: [],
  approved: [],
  revision: 1,
  createdAt: "2026-11-25T09:00:00.000Z",
  updatedAt: "2026-11-25T09:00:00.000Z",
  ...changes
})

export interface Pool {
  readonly client: McpClient["Service"]
  /** What is stored. */
  server: McpServer
  token: string | undefined
  inUse: boolean
}

/** Servers of these tests are not authorized by OAuth. */
const noOAuth = Layer.mergeAll(
  Layer.mock(McpGrants, {}),
  Layer.mock(McpOAuth, {}),
  Layer.succeed(Exclusive, { run: () => (effect) => effect })
)

export const poolFor = (
  server: McpServer,
  options: McpPool.McpPoolOptions = { allowPrivateNetwork: true }
): Effect.Effect<Pool, never, Scope.Scope> =>
  Effect.gen(function* () {
    const stored = { server, token: undefined as string | undefined, inUse: false }
    const servers = Layer.mock(McpServers, {
      find: () => Effect.sync(() => stored.server),
      secrets: () => Effect.sync(() => (stored.token === undefined ? {} : { token: stored.token })),
      isInUse: () => Effect.sync(() => stored.inUse),
      observe: (_, health, seen) =>
        Effect.sync(() => {
          stored.server = { ...stored.server, health, ...seen }
          return stored.server
        })
    })
    const context = yield* Layer.build(
      McpPool.layer(options).pipe(Layer.provide(McpCredentials.layer), Layer.provide([servers, noOAuth]))
    )
    const client = yield* McpClient.pipe(Effect.provide(context))
    return Object.assign(stored, { client })
  })
