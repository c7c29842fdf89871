/** Reserves a slot on the engine for a call. An engine that does not have this version of the agent gets it first. */
import { Effect } from "effect"
import { concurrentCalls, type Organization } from "../../../people/organizations/Organization.ts"
import { agentConfig } from "../../agents/AgentConfigs.ts"
import type { VoiceAgent } from "../../agents/VoiceAgent.ts"
import type { AgentConfig } from "../../engine/AgentConfig.ts"
import type { CallSetup } from "../../engine/CallSetup.ts"
import { EngineClient } from "../../engine/EnginePorts.ts"

/** `agentConfig` with a cache: while `CalledNumbers` returns the same agent object, its configuration is made once. */
const makeConfigs = () => {
  const made = new WeakMap<VoiceAgent, { readonly organization: Organization; readonly config: AgentConfig }>()
  return (agent: VoiceAgent, organization: Organization): AgentConfig => {
    const known = made.get(agent)
    if (known?.organization === organization) return known.config
    const config = agentConfig(agent, organization)
    made.set(agent, { organization, config })
    return config
  }
}

/** Needs the engine. The function it returns gives the placement, or fails with EngineProtocolError (429: full). */
export const makePlaceCall = Effect.map(EngineClient, (engine) => {
  const configOf = makeConfigs()
  return (
    organization: Organization,
    agent: VoiceAgent,
    setup: Omit<CallSetup, "agentId" | "agentVersion" | "concurrentCalls">
  ) => {
    const config = configOf(agent, organization)
    const place = engine.placeCall(organization.id, {
      ...setup,
      agentId: agent.id,
      agentVersion: config.version,
      concurrentCalls: concurrentCalls(organization)
    })
    return place.pipe(
      Effect.catchIf(
        (error) => error.status === 404,
        () => Effect.andThen(engine.putAgent(config), place)
      )
    )
  }
})
