/** Agents of test calls in Postgres: each as one encrypted text, because its tools may have secrets. */
import { Effect, Layer, Schema } from "effect"
import { traced } from "../../../../domain/basics/Traced.ts"
import { TestedAgents } from "../../../../domain/voice/agents/TestedAgents.ts"
import { VoiceAgent } from "../../../../domain/voice/agents/VoiceAgent.ts"
import { KeyRing } from "../../../secrets/KeyRing.ts"
import { makeSql } from "../../tenancy/Sql.ts"

const Stored = Schema.fromJsonString(VoiceAgent)
const owner = (organizationId: string) => ({ organizationId, field: "tested_agents.agent" })

/** Needs the database and KeyRing. */
export const layer = Layer.effect(
  TestedAgents,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const ring = yield* KeyRing
    return TestedAgents.of({
      keep: traced("TestedAgents.keep")(function* (callId, agent) {
        const { organizationId } = agent
        const sealed = yield* ring.encrypt(owner(organizationId), yield* Schema.encodeEffect(Stored)(agent))
        yield* asTenant(organizationId)(
          Effect.andThen(
            sql`DELETE FROM tested_agents t USING calls c
              WHERE c.organization_id = t.organization_id AND c.id = t.call_id AND c.end_reason IS NOT NULL`,
            sql`INSERT INTO tested_agents (organization_id, call_id, agent) VALUES (${organizationId}, ${callId}, ${sealed})`
          )
        )
      }, Effect.orDie),
      find: traced("TestedAgents.find")(function* (organizationId, callId) {
        const [row] = yield* asTenant(organizationId)(
          sql<{ agent: string }>`SELECT t.agent FROM tested_agents t JOIN calls c
              ON c.organization_id = t.organization_id AND c.id = t.call_id
            WHERE t.call_id = ${callId} AND c.end_reason IS NULL`
        )
        if (row === undefined) return undefined
        return yield* Schema.decodeEffect(Stored)(yield* ring.decrypt(owner(organizationId), row.agent))
      }, Effect.orDie)
    })
  })
)
