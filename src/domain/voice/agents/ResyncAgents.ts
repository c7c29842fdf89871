/**
 * Use case: give every agent the locked provider stack, and give its configuration to the engines. The run may be stopped and repeated. An
 * agent that the engine does not accept is not changed. An agent that cannot be changed keeps working as before.
 */
import { Clock, Effect, Stream } from "effect"
import { messageOf } from "../../basics/ErrorMessage.ts"
import { changedFields } from "../../people/access/Audit.ts"
import { everyOrganization, Organizations } from "../../people/organizations/Organization.ts"
import { EngineClient } from "../engine/EnginePorts.ts"
import { isLegacy, lockedStack } from "./AgentConfigs.ts"
import { makePresentConfig } from "./PresentConfig.ts"
import { invalidSetting, makeAgentRecords } from "./SaveVoiceAgent.ts"
import { everyAgentId, VoiceAgents } from "./VoiceAgent.ts"

export interface Resynced {
  readonly organizationId: string
  readonly agentId: string
  /** `unchanged`: the agent already had the locked stack, and the engine got its configuration again. */
  readonly outcome: "updated" | "unchanged" | "failed"
  /** Why it failed, as a sentence; otherwise null. */
  readonly reason: string | null
}

/** Needs the stores and the engine; the functions it returns need nothing. */
export const makeResyncAgents = Effect.gen(function* () {
  const organizations = yield* Organizations
  const agents = yield* VoiceAgents
  const engine = yield* EngineClient
  const records = yield* makeAgentRecords
  const configOf = yield* makePresentConfig

  const chosen = (organizationId: string | undefined, from?: string) => {
    if (organizationId !== undefined) return Stream.succeed(organizationId)
    const later = everyOrganization(organizations, from)
    return from === undefined ? later : Stream.concat(Stream.succeed(from), later)
  }

  /** Reads the agent while no one else may change the organization's agents, so that no save is lost. `undefined`: the agent is gone. */
  const resync = Effect.fnUntraced(
    function* (organizationId: string, agentId: string) {
      const organization = yield* organizations.find(organizationId)
      const agent = yield* agents.find(organizationId, agentId)
      if (organization === undefined || agent === undefined) return undefined
      if (!isLegacy(agent)) {
        yield* engine.putAgent(yield* configOf(agent, organization))
        return "unchanged" as const
      }
      const invalid = invalidSetting(agent)
      if (invalid !== undefined) return yield* invalid
      const updatedAt = new Date(yield* Clock.currentTimeMillis).toISOString()
      const locked = { ...agent, providerStack: lockedStack(agent), updatedAt }
      yield* records.change(organization, agent, locked, {
        action: "voice_agent.resynced",
        subjectId: agentId,
        ...changedFields({ providerStack: agent.providerStack }, { providerStack: locked.providerStack })
      })
      return "updated" as const
    },
    (resynced, organizationId) => records.inTurn(organizationId)(resynced)
  )

  const outcomeOf = (organizationId: string, agentId: string) => {
    const failed = (reason: string) => Effect.succeed({ outcome: "failed" as const, reason })
    return resync(organizationId, agentId).pipe(
      Effect.map((outcome) => (outcome === undefined ? undefined : { outcome, reason: null })),
      Effect.catchTags({
        DuplicateAgent: ({ name }) => failed(`There is another agent with the name "${name}".`),
        Busy: () => failed("Others were changing agents of this organization.")
      }),
      Effect.catch(({ message }) => failed(message)),
      // A record that cannot be read or written does not stop the others.
      Effect.catchDefect((defect) => failed(messageOf(defect))),
      Effect.map(
        (result): ReadonlyArray<Resynced> => (result === undefined ? [] : [{ organizationId, agentId, ...result }])
      )
    )
  }

  return {
    /** How many agents the organization has, or all organizations together. */
    count: (organizationId?: string): Effect.Effect<number> =>
      chosen(organizationId).pipe(
        Stream.mapEffect(agents.count),
        Stream.runFold(
          () => 0,
          (sum, count) => sum + count
        )
      ),
    /** Resyncs the agents of one organization, or of all, one after another, in the order of their ids; `after`: only those behind this one. */
    run: (organizationId?: string, after?: Pick<Resynced, "organizationId" | "agentId">): Stream.Stream<Resynced> =>
      chosen(organizationId, after?.organizationId).pipe(
        Stream.mapEffect((id) =>
          Effect.map(everyAgentId(agents, id), (ids) =>
            ids
              .toSorted()
              .filter((agentId) => id !== after?.organizationId || agentId > after.agentId)
              .map((agentId) => [id, agentId] as const)
          )
        ),
        Stream.flatMap((ids) => Stream.fromIterable(ids)),
        Stream.mapEffect(([id, agentId]) => outcomeOf(id, agentId)),
        Stream.flatMap((results) => Stream.fromIterable(results))
      )
  }
})
