/** External MCP servers in Postgres. Their secrets are encrypted with the key ring. */
import { Effect, Layer, Schema } from "effect"
import {
  DuplicateMcpServer,
  McpSecrets,
  type McpServer,
  type McpServerChange,
  McpServers,
  mostMcpServers
} from "../../../domain/ai/tools/McpServer.ts"
import { mcpServerWord } from "../../../domain/ai/tools/McpTool.ts"
import { newId } from "../../../domain/basics/Ids.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { KeyRing } from "../../secrets/KeyRing.ts"
import { iso, makeSql, whenTaken } from "../tenancy/Sql.ts"

interface Row extends Omit<McpServer, "createdAt" | "updatedAt"> {
  readonly createdAt: Date
  readonly updatedAt: Date
}

const owner = (organizationId: string) => ({ organizationId, field: "mcp_servers.secrets" })
const decodeSecrets = Schema.decodeUnknownEffect(Schema.fromJsonString(McpSecrets))

const record = ({ createdAt, updatedAt, ...row }: Row): McpServer => ({
  ...row,
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt)
})

export const layer = Layer.effect(
  McpServers,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const ring = yield* KeyRing
    const columns = sql.literal(
      `organization_id, id, name, url, timeout_ms, auth, transport, health, offered, approved, revision, created_at, updated_at`
    )
    const first = (rows: ReadonlyArray<Row>) => rows.map(record).at(0)
    const seal = (organizationId: string, secrets: McpSecrets) =>
      ring.encrypt(owner(organizationId), JSON.stringify(secrets))
    const unknown = sql.json({ status: "unknown", checkedAt: null, error: null })
    const taken = (name: string) => whenTaken("mcp_servers_word", () => new DuplicateMcpServer({ name }))

    const open = Effect.fnUntraced(function* (organizationId: string, sealed: string | null) {
      return sealed === null ? {} : yield* decodeSecrets(yield* ring.decrypt(owner(organizationId), sealed))
    }, Effect.orDie)

    const insert = Effect.fnUntraced(function* (organizationId: string, change: McpServerChange) {
      // This lock makes two requests at once count one after the other.
      yield* sql`SELECT 1 FROM organizations WHERE id = ${organizationId} FOR NO KEY UPDATE`
      const [{ count }] = yield* sql<{ count: number }>`SELECT count(*)::int AS count FROM mcp_servers`
      if (count >= mostMcpServers) return undefined
      const { name, url, timeoutMs, secrets = {} } = change
      const auth = sql.json(change.auth)
      return first(
        yield* sql<Row>`INSERT INTO mcp_servers (organization_id, id, name, word, url, timeout_ms, auth, secrets, health)
          VALUES (${organizationId}, ${newId("mcs")}, ${name}, ${mcpServerWord(name)}, ${url}, ${timeoutMs}, ${auth},
            ${yield* seal(organizationId, secrets)}, ${unknown}) RETURNING ${columns}`
      )
    })

    const write = Effect.fnUntraced(function* (organizationId: string, id: string, change: McpServerChange) {
      const [before] = yield* sql<{
        secrets: string | null
      }>`SELECT secrets FROM mcp_servers WHERE id = ${id} FOR NO KEY UPDATE`
      if (before === undefined) return undefined
      const { name, url, timeoutMs, another } = change
      const secrets = change.secrets ?? (yield* open(organizationId, before.secrets))
      const auth = sql.json(change.auth)
      const forgotten = another ? sql`, offered = '[]', approved = '[]', transport = NULL, health = ${unknown}` : sql``
      return first(
        yield* sql<Row>`UPDATE mcp_servers SET name = ${name}, word = ${mcpServerWord(name)}, url = ${url}, timeout_ms = ${timeoutMs},
            auth = ${auth}, secrets = ${yield* seal(organizationId, secrets)}, revision = revision + 1, updated_at = now() ${forgotten}
          WHERE id = ${id} RETURNING ${columns}`
      )
    })

    return McpServers.of({
      list: traced("McpServers.list")(
        (organizationId) =>
          Effect.map(
            asTenant(organizationId)(
              sql<Row>`SELECT ${columns} FROM mcp_servers ORDER BY created_at DESC, id DESC LIMIT ${mostMcpServers}`
            ),
            (rows) => rows.map(record)
          ),
        Effect.orDie
      ),

      find: traced("McpServers.find")(
        (organizationId, id) =>
          Effect.map(asTenant(organizationId)(sql<Row>`SELECT ${columns} FROM mcp_servers WHERE id = ${id}`), first),
        Effect.orDie
      ),

      create: traced("McpServers.create")((organizationId, change) =>
        Effect.catch(asTenant(organizationId)(insert(organizationId, change)), taken(change.name))
      ),

      change: traced("McpServers.change")((organizationId, id, change) =>
        Effect.catch(asTenant(organizationId)(write(organizationId, id, change)), taken(change.name))
      ),

      remove: traced("McpServers.remove")(function* (organizationId, id) {
        yield* asTenant(organizationId)(sql`DELETE FROM mcp_servers WHERE id = ${id}`)
      }, Effect.orDie),

      secrets: traced("McpServers.secrets")(function* (organizationId, id) {
        const [row] = yield* asTenant(organizationId)(
          sql<{ secrets: string | null }>`SELECT secrets FROM mcp_servers WHERE id = ${id}`
        )
        return yield* open(organizationId, row?.secrets ?? null)
      }, Effect.orDie),

      observe: traced("McpServers.observe")(({ organizationId, id, revision }, health, seen) => {
        const list =
          seen === undefined ? sql`` : sql`, transport = ${seen.transport}, offered = ${sql.json(seen.offered)}`
        return Effect.map(
          asTenant(organizationId)(
            sql<Row>`UPDATE mcp_servers SET health = ${sql.json(health)} ${list}
              WHERE id = ${id} AND revision = ${revision} RETURNING ${columns}`
          ),
          first
        )
      }, Effect.orDie),

      approve: traced("McpServers.approve")(
        (organizationId, id, approved) =>
          Effect.map(
            asTenant(organizationId)(
              sql<Row>`UPDATE mcp_servers SET approved = ${sql.json(approved)}, updated_at = now()
                WHERE id = ${id} RETURNING ${columns}`
            ),
            first
          ),
        Effect.orDie
      ),

      isInUse: traced("McpServers.isInUse")(
        (organizationId, id) =>
          Effect.map(
            asTenant(organizationId)(
              sql`SELECT 1 FROM calls c JOIN voice_agents a ON a.organization_id = c.organization_id AND a.id = c.agent_id
                WHERE c.status IN ('queued', 'ringing', 'in_progress')
                  AND a.settings @> ${sql.json({ tools: [{ handler: { type: "mcp", serverId: id } }] })} LIMIT 1`
            ),
            (rows) => rows.length > 0
          ),
        Effect.orDie
      )
    })
  })
)
