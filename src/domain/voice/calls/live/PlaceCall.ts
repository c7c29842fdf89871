/** Reserves a slot on the engine for a call. An engine that does not have this version of the agent gets it first. */
import { Effect } from "effect"
import { serversOf } from "../../../ai/tools/ForeignTools.ts"
import { McpClient } from "../../../ai/tools/McpClient.ts"
import { concurrentCalls, type Organization } from "../../../people/organizations/Organization.ts"
import { makePresentConfig } from "../../agents/PresentConfig.ts"
import type { VoiceAgent } from "../../agents/VoiceAgent.ts"
import type { AgentConfig } from "../../engine/AgentConfig.ts"
import type { CallSetup } from "../../engine/CallSetup.ts"
import { EngineClient } from "../../engine/EnginePorts.ts"

/**
 * The configuration of an agent with a cache: while `CalledNumbers` returns the same agent object, its configuration is made once. That of an agent with
 * tools of MCP servers depends on those, too, so it is made for each call.
 */
const makeConfigs = Effect.map(makePresentConfig, (configOf) => {
  const made = new WeakMap<VoiceAgent, { readonly organization: Organization; readonly config: AgentConfig }>()
  return (agent: VoiceAgent, organization: Organization): Effect.Effect<AgentConfig> => {
    const known = made.get(agent)
    if (known?.organization === organization) return Effect.succeed(known.config)
    return Effect.map(configOf(agent, organization), (config) => {
      if (serversOf(agent.tools).length === 0) made.set(agent, { organization, config })
      return config
    })
  }
})

/** Needs the engine, McpServers and McpClient. The function it returns gives the placement, or fails with EngineProtocolError (429: full). */
export const makePlaceCall = Effect.gen(function* () {
  const engine = yield* EngineClient
  const mcp = yield* McpClient
  const configOf = yield* makeConfigs
  return Effect.fnUntraced(function* (
    organization: Organization,
    agent: VoiceAgent,
    setup: Omit<CallSetup, "agentId" | "agentVersion" | "concurrentCalls">
  ) {
    const config = yield* configOf(agent, organization)
    const servers = serversOf(agent.tools)
    if (servers.length > 0) yield* mcp.warm(organization.id, servers)
    const place = engine.placeCall(organization.id, {
      ...setup,
      agentId: agent.id,
      agentVersion: config.version,
      concurrentCalls: concurrentCalls(organization)
    })
    return yield* Effect.catchIf(
      place,
      (error) => error.status === 404,
      () => Effect.andThen(engine.putAgent(config), place)
    )
  })
})
