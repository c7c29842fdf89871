/** What the caller's words mean for the turn. It depends on the agent's settings and language, and on the caller's own pauses. */
import type { TurnRules } from "../../../audio/turn/Turn.ts"
import { type Completeness, completeness, patienceMs } from "../../../domain/voice/dialogue/Completeness.ts"
import {
  alwaysInterrupts,
  isBackchannel,
  isHesitation,
  wordCount
} from "../../../domain/voice/dialogue/Interjections.ts"
import { PauseLearner } from "../../../domain/voice/dialogue/PauseLearner.ts"
import type { SoundProfile } from "./SoundProfile.ts"

/** Words over the last milliseconds of the agent's speech are an answer to it, not an interruption. Other products use one second as well. */
const answerWithinMs = 1_000

/** Words that trail off may be the end all the same, and the model may know. Most pauses after such words are shorter, and cost no request. */
const trailedOffMs = 600

/** `nearlyDone(ms)` says whether the agent has at most `ms` milliseconds left to say. */
export const turnRules = (agent: SoundProfile, nearlyDone: (ms: number) => boolean): TurnRules => {
  const { endpointing, escalationPhrases, interruption } = agent
  const { language } = agent.voice
  const pauses = new PauseLearner()
  let judged: { readonly text: string; readonly is: Completeness } | undefined
  /** Both rules ask about the same words, one after the other. */
  const completenessOf = (text: string): Completeness => {
    if (judged?.text !== text) judged = { text, is: completeness(text, language) }
    return judged.is
  }
  return {
    patienceMs: (text) =>
      patienceMs(completenessOf(text), {
        minMs: endpointing.minSilenceMs,
        maxMs: endpointing.maxSilenceMs,
        learnedMs: pauses.learnedMs
      }),
    likelyAfterMs: (text) => {
      if (completenessOf(text) !== "unfinished") return 0
      return endpointing.semantic === "off" ? Number.POSITIVE_INFINITY : trailedOffMs
    },
    overAgent: (text, paused) => {
      if (alwaysInterrupts(text, language, escalationPhrases)) return "interruption"
      const isSlight =
        isBackchannel(text, language) || isHesitation(text, language) || wordCount(text) < interruption.minWords
      // A paused agent is not finishing: its last words would come after all that the caller has said.
      if (nearlyDone(answerWithinMs)) return paused && !isSlight ? "interruption" : "answer"
      return isSlight ? "overheard" : "interruption"
    },
    paused: (ms) => pauses.observe(ms)
  }
}
