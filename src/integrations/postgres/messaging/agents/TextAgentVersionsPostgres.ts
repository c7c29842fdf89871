/** The versions of text agents in Postgres. The headers of their tools are encrypted as those of agents are. */
import { Effect, Layer, Schema } from "effect"
import { traced } from "../../../../domain/basics/Traced.ts"
import { TextAgentSettings, textAgentDefaults } from "../../../../domain/messaging/agents/TextAgent.ts"
import { TextAgentVersion, TextAgentVersions } from "../../../../domain/messaging/agents/TextAgentVersion.ts"
import { KeyRing } from "../../../secrets/KeyRing.ts"
import { openTools, type StoredTool } from "../../../secrets/SealedTools.ts"
import { numbered } from "../../tenancy/Parts.ts"
import { type VersionRow, versionOf } from "../../tenancy/SavedVersions.ts"
import { makeSql } from "../../tenancy/Sql.ts"

type Row = VersionRow<{ readonly tools?: ReadonlyArray<StoredTool>; readonly limits?: object }>

const decode = (row: Row) => Schema.decodeUnknownEffect(TextAgentVersion)(versionOf(row))

export const layer = Layer.effect(
  TextAgentVersions,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const ring = yield* KeyRing
    return TextAgentVersions.of({
      list: traced("TextAgentVersions.list")(
        (organizationId, agentId, page, limit) =>
          numbered(
            { sql, asTenant },
            organizationId,
            { from: sql`text_agent_versions WHERE agent_id = ${agentId}`, order: sql`version DESC`, decode },
            page,
            limit
          ),
        Effect.orDie
      ),
      find: traced("TextAgentVersions.find")(function* (organizationId, agentId, version) {
        const [row] = yield* asTenant(organizationId)(
          sql<Row>`SELECT * FROM text_agent_versions WHERE agent_id = ${agentId} AND version = ${version}`
        )
        if (row === undefined) return undefined
        const settings = yield* Schema.decodeUnknownEffect(TextAgentSettings)({
          ...textAgentDefaults,
          ...row.settings,
          limits: { ...textAgentDefaults.limits, ...row.settings.limits },
          tools: yield* openTools(ring, "text_agents", organizationId, row.settings.tools ?? []),
          name: row.name
        })
        return { version: yield* decode(row), settings }
      }, Effect.orDie)
    })
  })
)
