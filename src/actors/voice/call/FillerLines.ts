/** What the agent says while the caller waits for an answer. */
import { Clock, Deferred, Effect } from "effect"
import type { AgentConfig } from "../../../domain/voice/engine/AgentConfig.ts"

/** So long after the end of a turn an agent that uses fillers says one, so that the caller knows it is working. Milliseconds. */
const fillerAfterMs = 1_200
/** So long after the caller's last sound every agent says one, but not sooner after the end of the turn than `leastFillerMs`. Milliseconds. */
const lineAfterMs = 2_800
const leastFillerMs = 500
/** So long after the agent's last words it says the next one. Milliseconds. */
const nextLineAfterMs = 5_000

/** The turn that the caller waits for. */
export interface WaitingTurn {
  readonly agent: AgentConfig
  /** Asks the caller for a moment. */
  readonly saySomething: () => void
  /** Milliseconds since the caller was last heard. */
  readonly callerSilentMs: () => number
  /** Milliseconds for which the agent was not heard and has nothing planned to say. */
  readonly agentSilentMs: () => number
  /** Done when the turn is certain. Until then the answer is a guess that may be dropped, so tools wait. */
  readonly certain: Deferred.Deferred<void>
}

/**
 * Asks the caller for a moment when nothing is heard for long, whatever is slow: moderation, the model, a tool. A caller who has spoken since is
 * not talked over: the line waits until they have been silent for as long as at first.
 */
export const sayFillerLines = Effect.fnUntraced(function* (turn: WaitingTurn) {
  yield* Deferred.await(turn.certain)
  const began = yield* Clock.currentTimeMillis
  const firstAfterMs = turn.agent.use_fillers
    ? fillerAfterMs
    : Math.max(leastFillerMs, lineAfterMs - turn.callerSilentMs())
  while (true) {
    const waitedMs = (yield* Clock.currentTimeMillis) - began
    const silentMs = turn.agentSilentMs()
    const callerSilentMs = turn.callerSilentMs()
    const dueMs = silentMs < waitedMs ? nextLineAfterMs - silentMs : firstAfterMs - waitedMs
    const leftMs = callerSilentMs < waitedMs ? Math.max(dueMs, lineAfterMs - callerSilentMs) : dueMs
    if (leftMs <= 0) turn.saySomething()
    yield* Effect.sleep(leftMs > 0 ? leftMs : nextLineAfterMs)
  }
})
