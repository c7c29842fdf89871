/** Shows the contact that an agent thinks about an answer, where the channel can. Nobody waits for it, and it may fail. */
import { Context, Effect } from "effect"
import type { Turn } from "./AgentTurns.ts"

export const AtWork = Context.Reference<(turn: Turn) => Effect.Effect<void>>("parley/domain/AtWork", {
  defaultValue: () => () => Effect.void
})
