/** What the minds of calls need whose sound is in another process. */
import { Effect } from "effect"
import { SpeechCache, speechCacheKey } from "../../../domain/ai/providers/SpeechCache.ts"
import type { Left } from "../../../domain/voice/dialogue/CallTakeOver.ts"
import { fillers } from "../../../domain/voice/dialogue/FixedPhrases.ts"
import type { AgentConfig } from "../../../domain/voice/engine/AgentConfig.ts"
import { speechRequest } from "../call/Speaking.ts"
import type { LinkedMind, LinkedSound } from "../sound/link/MindEnd.ts"
import type { PlannedClause } from "../sound/PlannedClauses.ts"

/**
 * What a new mind makes of the clauses that the sound has. Those of the model without sound are said when they may be heard; while it thinks, it makes
 * them anew.
 */
export const leftOf = (
  clauses: ReadonlyArray<PlannedClause>,
  { passed, thinking }: { readonly passed: ReadonlyArray<number>; readonly thinking: boolean }
): Left => ({
  reply: clauses.filter(({ line, bytes }) => line === undefined && bytes > 0).map(({ text }) => text),
  unsaid: clauses
    .filter(({ bytes }) => bytes === 0)
    .filter(({ clause, line }) => line !== undefined || (!thinking && passed.includes(clause)))
    .map(({ line, text }) => ({ text, interruptible: line !== "uninterruptible" }))
})

/** Gives the sound what the caller hears when this engine is gone for long: a line that is in the cache, or nothing. */
export const giveWaitingLine = Effect.fnUntraced(function* (agent: AgentConfig, sound: LinkedSound) {
  const cache = yield* SpeechCache
  const line = fillers(agent.voice.language)[1]
  if (line === undefined) return
  const audio = yield* cache.get(speechCacheKey(speechRequest(agent, line)))
  if (audio !== undefined) sound.waitingLine(audio)
})

/** Hears nothing: the mind of a call that there is not. */
export const deafMind: LinkedMind = {
  tell: () => undefined,
  sink: { hear: () => undefined, pause: () => undefined },
  lineClosed: () => undefined,
  audioFailed: () => undefined,
  lost: () => undefined
}
