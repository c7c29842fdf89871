/**
 * Finds the organization and the agent of a called number. One statement (`find_called`) reads only the versions of their rows. If a version differs
 * from the cached one, the record is read, decrypted and decoded again, so the cache is never older than the database.
 */
import { Effect, Layer } from "effect"
import { traced } from "../../../../domain/basics/Traced.ts"
import { type Organization, Organizations } from "../../../../domain/people/organizations/Organization.ts"
import { type VoiceAgent, VoiceAgents } from "../../../../domain/voice/agents/VoiceAgent.ts"
import { CalledNumbers } from "../../../../domain/voice/telephony/CalledNumbers.ts"
import { makeSql } from "../../tenancy/Sql.ts"
import { outlasting } from "../../tenancy/Unreachable.ts"

const mostRemembered = 2_000

interface Row {
  readonly organizationVersion: string
  readonly agentId: string | null
  readonly agentVersion: string | null
}

/** A cache that keeps the newest value per id. A value is at least as new as the version that it is stored under. */
const remembering = <A>() => {
  const known = new Map<string, { readonly version: string; readonly value: A }>()
  return Effect.fnUntraced(function* (id: string, version: string, read: Effect.Effect<A | undefined>) {
    const found = known.get(id)
    if (found?.version === version) return found.value
    const value = yield* read
    if (value === undefined) known.delete(id)
    else {
      if (known.size >= mostRemembered) known.clear()
      known.set(id, { version, value })
    }
    return value
  })
}

/** Needs `Organizations` and `VoiceAgents`. */
export const layer = Layer.effect(
  CalledNumbers,
  Effect.gen(function* () {
    const { sql } = yield* makeSql
    const organizations = yield* Organizations
    const agents = yield* VoiceAgents
    const organization = remembering<Organization>()
    const agent = remembering<VoiceAgent>()

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
