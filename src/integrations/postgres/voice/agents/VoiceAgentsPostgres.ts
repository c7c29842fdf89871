/**
 * Voice agents in Postgres. Name and times have columns of their own. `settings` holds everything else that a customer sets; in it the headers of
 * tools are encrypted with the key ring.
 */
import type { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Layer, Schema } from "effect"
import { traced } from "../../../../domain/basics/Traced.ts"
import {
  DuplicateAgent,
  VoiceAgent,
  VoiceAgentSettings,
  VoiceAgents
} from "../../../../domain/voice/agents/VoiceAgent.ts"
import { KeyRing } from "../../../secrets/KeyRing.ts"
import { sealTools } from "../../../secrets/SealedTools.ts"
import { recordEvent } from "../../events/EventLog.ts"
import { releaseConversations } from "../../messaging/conversations/ReleasedConversations.ts"
import { numbered } from "../../tenancy/Parts.ts"
import { differing, keepFirst, type NewVersion, writeVersion } from "../../tenancy/SavedVersions.ts"
import { iso, makeSql, whenTaken } from "../../tenancy/Sql.ts"
import { openVoiceSettings, type StoredVoiceSettings } from "./StoredVoiceSettings.ts"

interface Row {
  readonly organizationId: string
  readonly id: string
  readonly name: string
  readonly settings: StoredVoiceSettings
  readonly providerStack: unknown
  readonly phoneNumber: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

const decode = Effect.fnUntraced(function* (ring: KeyRing["Service"], row: Row) {
  const { settings, createdAt, updatedAt, ...columns } = row
  return yield* Schema.decodeUnknownEffect(VoiceAgent)({
    ...(yield* openVoiceSettings(ring, row.organizationId, settings)),
    ...columns,
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt)
  })
})

const settingNames = Object.keys(VoiceAgentSettings.fields).filter((key) => key !== "name")

const settingsOf = (ring: KeyRing["Service"], agent: VoiceAgent) =>
  Effect.map(sealTools(ring, "voice_agents", agent.organizationId, agent.tools), (tools) => ({
    ...Object.fromEntries(Object.entries(agent).filter(([key]) => settingNames.includes(key))),
    tools
  }))

/** Every setting that a version has. */
const versioned = ["name", ...settingNames]

const columns = (sql: PgClient.PgClient) => sql`a.*, n.phone AS phone_number`
/** An agent has one number at most. */
const source = (sql: PgClient.PgClient) => sql`voice_agents a
  LEFT JOIN phone_numbers n ON n.organization_id = a.organization_id AND n.agent_id = a.id`
const selected = (sql: PgClient.PgClient) => sql`SELECT ${columns(sql)} FROM ${source(sql)}`

export const layer = Layer.effect(
  VoiceAgents,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const ring = yield* KeyRing

    const duplicate = (agent: VoiceAgent) =>
      whenTaken("voice_agents_name", () => new DuplicateAgent({ name: agent.name }))

    const keep = (saved: NewVersion) => writeVersion(sql, "voice_agent_versions", saved)

    const tellSaved = Effect.fnUntraced(function* (
      { organizationId, id, name, updatedAt }: Pick<VoiceAgent, "organizationId" | "id" | "name" | "updatedAt">,
      deleted: boolean
    ) {
      const now = yield* Clock.currentTimeMillis
      const data = { agent: { id, name, deleted, updatedAt } }
      yield* recordEvent(sql, organizationId, { type: "voice_agent.updated", data }, now)
    })

    return VoiceAgents.of({
      list: traced("VoiceAgents.list")((organizationId, page, limit) => {
        const order = sql`a.created_at DESC, a.id DESC`
        const list = { columns: columns(sql), from: source(sql), order, decode: (row: Row) => decode(ring, row) }
        return numbered({ sql, asTenant }, organizationId, list, page, limit)
      }, Effect.orDie),

      find: traced("VoiceAgents.find")(function* (organizationId, agentId) {
        const rows = yield* asTenant(organizationId)(sql<Row>`${selected(sql)} WHERE a.id = ${agentId}`)
        return rows.length === 0 ? undefined : yield* decode(ring, rows[0])
      }, Effect.orDie),

      count: traced("VoiceAgents.count")(function* (organizationId) {
        const [{ count }] = yield* asTenant(organizationId)(
          sql<{ count: number }>`SELECT count(*)::int AS count FROM voice_agents`
        )
        return count
      }, Effect.orDie),

      isNameTaken: traced("VoiceAgents.isNameTaken")(function* ({ organizationId, id, name }) {
        const rows = yield* asTenant(organizationId)(
          sql`SELECT 1 AS found FROM voice_agents WHERE name = ${name} AND id <> ${id}`
        )
        return rows.length > 0
      }, Effect.orDie),

      create: traced("VoiceAgents.create")(function* (agent) {
        const { organizationId, id, name, providerStack, createdAt, updatedAt } = agent
        const settings = yield* settingsOf(ring, agent)
        const savedAt = new Date(updatedAt)
        yield* asTenant(organizationId)(
          Effect.gen(function* () {
            yield* sql`INSERT INTO voice_agents (organization_id, id, name, settings, provider_stack, created_at, updated_at)
              VALUES (${organizationId}, ${id}, ${name}, ${sql.json(settings)}, ${sql.json(providerStack)},
                ${new Date(createdAt)}, ${savedAt})`
            yield* keep({ organizationId, agentId: id, name, settings, changed: versioned, savedAt })
            yield* tellSaved(agent, false)
          })
        ).pipe(Effect.catchTag("SqlError", duplicate(agent)))
      }),

      update: traced("VoiceAgents.update")(function* (agent, readAt) {
        const { organizationId, id, name, providerStack, updatedAt } = agent
        const settings = yield* settingsOf(ring, agent)
        return yield* asTenant(organizationId)(
          Effect.gen(function* () {
            // The stored time is compared to the millisecond, because `readAt` has no more digits.
            const [before] = yield* sql<Row>`SELECT a.*, NULL AS phone_number FROM voice_agents a
              WHERE a.id = ${id} AND date_trunc('milliseconds', a.updated_at) = ${new Date(readAt)} FOR NO KEY UPDATE`
            if (before === undefined) return false
            const first = { ...before, agentId: id, changed: versioned, savedAt: before.updatedAt }
            yield* keepFirst(sql, "voice_agent_versions", first)
            yield* sql`UPDATE voice_agents SET name = ${name}, settings = ${sql.json(settings)},
              provider_stack = ${sql.json(providerStack)}, updated_at = ${new Date(updatedAt)} WHERE id = ${id}`
            const changed = differing(versioned, yield* Effect.orDie(decode(ring, before)), agent)
            yield* keep({ organizationId, agentId: id, name, settings, changed, savedAt: new Date(updatedAt) })
            yield* tellSaved(agent, false)
            return true
          })
        ).pipe(Effect.catchTag("SqlError", duplicate(agent)))
      }),

      remove: traced("VoiceAgents.remove")(function* (organizationId, agentId) {
        return yield* asTenant(organizationId)(
          Effect.gen(function* () {
            const known = yield* sql`SELECT 1 AS found FROM voice_agents WHERE id = ${agentId} FOR NO KEY UPDATE`
            if (known.length === 0) return false
            yield* releaseConversations(sql, organizationId, agentId)
            const [gone] = yield* sql<Row>`DELETE FROM voice_agents WHERE id = ${agentId} RETURNING *`
            yield* tellSaved({ organizationId, id: agentId, name: gone.name, updatedAt: iso(gone.updatedAt) }, true)
            return true
          })
        )
      }, Effect.orDie)
    })
  })
)
