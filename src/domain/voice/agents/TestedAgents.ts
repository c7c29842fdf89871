/** Port to the agents that are being tested: each as it is in one test call, also when the changes were never saved. */
import { Context, type Effect } from "effect"
import type { VoiceAgent } from "./VoiceAgent.ts"

export class TestedAgents extends Context.Service<
  TestedAgents,
  {
    /** Keeps the agent of a test call, with the secrets of its tools. Those of the organization's ended test calls are removed. */
    readonly keep: (callId: string, agent: VoiceAgent) => Effect.Effect<void>
    /** The agent of a test call; `undefined` when the call is over or is no test call. */
    readonly find: (organizationId: string, callId: string) => Effect.Effect<VoiceAgent | undefined>
  }
>()("parley/domain/TestedAgents") {}
