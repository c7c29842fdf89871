/** The versions of voice agents in Postgres. The headers of their tools are encrypted as those of agents are. */
import { Effect, Layer, Schema } from "effect"
import { traced } from "../../../../domain/basics/Traced.ts"
import { AgentVersion, AgentVersions } from "../../../../domain/voice/agents/AgentVersion.ts"
import { VoiceAgentSettings, voiceAgentDefaults } from "../../../../domain/voice/agents/VoiceAgent.ts"
import { KeyRing } from "../../../secrets/KeyRing.ts"
import { openTools, type StoredTool } from "../../../secrets/SealedTools.ts"
import { numbered } from "../../tenancy/Parts.ts"
import { type VersionRow, versionOf } from "../../tenancy/SavedVersions.ts"
import { makeSql } from "../../tenancy/Sql.ts"

type Row = VersionRow<{ readonly tools?: ReadonlyArray<StoredTool>; readonly endpointing?: object }>

const decode = (row: Row) => Schema.decodeUnknownEffect(AgentVersion)(versionOf(row))

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
