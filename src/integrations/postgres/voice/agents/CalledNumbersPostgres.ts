/**
 * Finds the organization and the agent of a called number. One statement (`find_called`) reads only the versions of their rows. If a version differs
 * from the cached one, the record is read, decrypted and decoded again, so the cache is never older than the database.
 */
import { Effect, Layer } from "effect"
import { traced } from "../../../../domain/basics/Traced.ts"
import { type Organization, Organizations } from "../../../../domain/people/organizations/Organization.ts"
import { type VoiceAgent, VoiceAgents } from "../../../../domain/voice/agents/VoiceAgent.ts"
import { CalledNumbers } from "../../../../domain/voice/telephony/CalledNumbers.ts"
import { makeRemembering } from "../../tenancy/Remembering.ts"
import { makeSql } from "../../tenancy/Sql.ts"
import { outlasting } from "../../tenancy/Unreachable.ts"

interface Row {
  readonly organizationVersion: string
  readonly agentId: string | null
  readonly agentVersion: string | null
}

/** Needs `Organizations` and `VoiceAgents`. */
export const layer = Layer.effect(
  CalledNumbers,
  Effect.gen(function* () {
    const { sql } = yield* makeSql
    const organizations = yield* Organizations
    const agents = yield* VoiceAgents
    const organization = makeRemembering<Organization>()
    const agent = makeRemembering<VoiceAgent>()

    return CalledNumbers.of({
      find: traced("CalledNumbers.find")(function* (organizationId, phone) {
        const [row] = yield* outlasting(sql<Row>`SELECT * FROM find_called(${organizationId}, ${phone})`)
        if (row === undefined) return { organization: undefined, agent: undefined }
        const { organizationVersion, agentId, agentVersion } = row
        return {
          organization: yield* organization(organizationId, organizationVersion, organizations.find(organizationId)),
          agent:
            agentId === null || agentVersion === null
              ? undefined
              : yield* agent(agentId, agentVersion, agents.find(organizationId, agentId))
        }
      }, Effect.orDie)
    })
  })
)
