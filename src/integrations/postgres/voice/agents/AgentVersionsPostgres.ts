/** The versions of voice agents in Postgres. The headers of their tools are encrypted as those of agents are. */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Schema } from "effect"
import { newId } from "../../../../domain/basics/Ids.ts"
import { traced } from "../../../../domain/basics/Traced.ts"
import { Acting } from "../../../../domain/people/access/Audit.ts"
import { AgentVersion, AgentVersions, mostVersions } from "../../../../domain/voice/agents/AgentVersion.ts"
import { VoiceAgentSettings, voiceAgentDefaults } from "../../../../domain/voice/agents/VoiceAgent.ts"
import { KeyRing } from "../../../secrets/KeyRing.ts"
import { openTools, type StoredTool } from "../../../secrets/SealedTools.ts"
import { numbered } from "../../tenancy/Parts.ts"
import { iso, makeSql } from "../../tenancy/Sql.ts"

interface Row {
  readonly organizationId: string
  readonly version: number
  readonly name: string
  readonly settings: { readonly tools?: ReadonlyArray<StoredTool>; readonly endpointing?: object }
  readonly changed: ReadonlyArray<string>
  readonly savedAt: Date
  readonly actorType: string
  readonly actorId: string | null
}

const decode = ({ version, name, changed, savedAt, actorType, actorId }: Row) =>
  Schema.decodeUnknownEffect(AgentVersion)({
    version,
    name,
    changed,
    savedAt: iso(savedAt),
    savedBy: { type: actorType, id: actorId }
  })

export interface SavedVersion {
  readonly organizationId: string
  readonly agentId: string
  readonly name: string
  /** As the agent's row has them. */
  readonly settings: object
  readonly changed: ReadonlyArray<string>
  readonly savedAt: Date
}

/** Writes the next version of an agent, and removes the oldest beyond those that are kept. Use it as the tenant, with the agent's row locked. */
export const writeVersion = Effect.fnUntraced(function* (sql: PgClient.PgClient, saved: SavedVersion) {
  const { organizationId, agentId, name, settings, changed, savedAt } = saved
  const { actor } = yield* Acting
  const [{ version }] = yield* sql<{ version: number }>`INSERT INTO voice_agent_versions
      (organization_id, id, agent_id, version, name, settings, changed, saved_at, actor_type, actor_id)
    SELECT ${organizationId}, ${newId("agv")}, ${agentId}, coalesce(max(v.version), 0) + 1, ${name}, ${sql.json(settings)},
      ${changed}::text[], ${savedAt}, ${actor.type}, ${actor.id}
    FROM voice_agent_versions v WHERE v.agent_id = ${agentId} RETURNING version`
  yield* sql`DELETE FROM voice_agent_versions WHERE agent_id = ${agentId} AND version <= ${version - mostVersions}`
  return version
})

export const layer = Layer.effect(
  AgentVersions,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const ring = yield* KeyRing
    return AgentVersions.of({
      list: traced("AgentVersions.list")(
        (organizationId, agentId, page, limit) =>
          numbered(
            { sql, asTenant },
            organizationId,
            { from: sql`voice_agent_versions WHERE agent_id = ${agentId}`, order: sql`version DESC`, decode },
            page,
            limit
          ),
        Effect.orDie
      ),
      find: traced("AgentVersions.find")(function* (organizationId, agentId, version) {
        const [row] = yield* asTenant(organizationId)(
          sql<Row>`SELECT * FROM voice_agent_versions WHERE agent_id = ${agentId} AND version = ${version}`
        )
        if (row === undefined) return undefined
        const settings = yield* Schema.decodeUnknownEffect(VoiceAgentSettings)({
          ...voiceAgentDefaults,
          ...row.settings,
          endpointing: { ...voiceAgentDefaults.endpointing, ...row.settings.endpointing },
          tools: yield* openTools(ring, "voice_agents", organizationId, row.settings.tools ?? []),
          name: row.name
        })
        return { version: yield* decode(row), settings }
      }, Effect.orDie)
    })
  })
)
