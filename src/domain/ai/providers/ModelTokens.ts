/** Port to the tokens of language models that belong to no turn and no call. Those of turns and calls are counted by their stores. */
import { Context, type Effect } from "effect"
import type { TokenUsage } from "./Reasoning.ts"

/** Stands for the agent where a person had a conversation summed up. */
export const summariesAgentId = "summaries"

export class ModelTokens extends Context.Service<
  ModelTokens,
  {
    /** The tokens of this month in the organization's time zone that count against the plan's. `now`: Unix milliseconds. */
    readonly thisMonth: (organizationId: string, timeZone: string, now: number) => Effect.Effect<number>
    /** Counts requests of an agent, or of what stands for one. */
    readonly spend: (
      organizationId: string,
      agentId: string,
      usage: ReadonlyArray<TokenUsage>,
      now: number
    ) => Effect.Effect<void>
  }
>()("parley/domain/ModelTokens") {}
