/** What the place of a conversation adds to its agent's turn: instructions, and tools that only this turn has. */
import { Context, Effect } from "effect"
import type { ModelTool } from "../../ai/tools/Tool.ts"
import type { Arguments } from "../../ai/tools/ToolArguments.ts"
import type { ToolAnswer } from "../../ai/tools/ToolRunner.ts"
import type { Turn } from "./AgentTurns.ts"

export interface ExtraTool {
  readonly spec: ModelTool
  /** It may run again after a crash: `key` is then the same. */
  readonly run: (input: Arguments, key: string) => Effect.Effect<ToolAnswer>
}

export interface TurnExtra {
  /** Before the agent's own instructions. */
  readonly instructions: string
  readonly tools: ReadonlyArray<ExtraTool>
}

export const noExtra: TurnExtra = { instructions: "", tools: [] }

export const TurnExtras = Context.Reference<(turn: Turn) => Effect.Effect<TurnExtra>>("parley/domain/TurnExtras", {
  defaultValue: () => () => Effect.succeed(noExtra)
})
