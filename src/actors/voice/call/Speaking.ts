/** Turns planned clauses into audio, one after the other, ahead of what the caller hears. Fixed lines come from the cache. */
import { Effect, FiberHandle, Queue, Stream } from "effect"
import { type SpeechRequest, TextToSpeech } from "../../../domain/ai/providers/Speech.ts"
import { SpeechCache, speechCacheKey } from "../../../domain/ai/providers/SpeechCache.ts"
import type { AgentConfig } from "../../../domain/voice/engine/AgentConfig.ts"
import type { AgentSpeech } from "./AgentSpeech.ts"
import type { Verdict } from "./Verdict.ts"

interface Clause {
  readonly text: string
  readonly epoch: number
  /** Undefined for a fixed line. Only fixed lines are looked up in the cache. */
  readonly verdict: Verdict | undefined
}

/** The failure of a clause that may not be heard. */
const unwanted = "unwanted"

export const speechRequest = (agent: AgentConfig, text: string): SpeechRequest => ({ text, ...agent.voice })

export interface Speaking {
  /**
   * Queues a clause; false when the agent was silenced since `epoch`. Synchronous. Its audio is requested at once and played when the
   * verdict allows it.
   */
  readonly say: (text: string, epoch: number, verdict?: Verdict) => boolean
  /** Cancels the running synthesis when the agent was silenced since its clause was planned. Queued clauses from before that are skipped. */
  readonly dropStale: Effect.Effect<void>
}

/** Calls `onLost` when a clause of the current epoch could not be synthesized. */
export const make = Effect.fnUntraced(function* (agent: AgentConfig, speech: AgentSpeech, onLost: () => void) {
  const tts = yield* TextToSpeech
  const cache = yield* SpeechCache
  const clauses = yield* Queue.unbounded<Clause>()
  const worker = yield* FiberHandle.make<never>()

  let speakingEpoch = speech.epoch

  const speak = Effect.fnUntraced(function* ({ text, epoch, verdict }: Clause) {
    speakingEpoch = epoch
    if (!speech.beginClause(text, epoch)) return
    // A customer may leave some lines empty: then there is nothing to synthesize.
    if (text.trim() === "") return speech.endClause(epoch)
    const request = speechRequest(agent, text)
    const cached = verdict === undefined ? yield* cache.get(speechCacheKey(request)) : undefined
    if (cached !== undefined) speech.append(cached, epoch)
    else {
      yield* Stream.runForEach(tts.synthesize(request), (audio) =>
        Effect.flatMap(verdict?.mayBeHeard ?? Effect.succeed(true), (mayBeHeard) =>
          mayBeHeard ? Effect.sync(() => speech.append(audio, epoch)) : Effect.fail(unwanted)
        )
      )
    }
    speech.endClause(epoch)
  })

  const speakNext = Queue.take(clauses).pipe(
    Effect.flatMap((clause) =>
      // Catches defects too: a dead worker would leave the caller in silence.
      Effect.catch(Effect.catchDefect(speak(clause), Effect.fail), (error) => {
        if (error === unwanted) return Effect.sync(() => speech.dropClause(clause.epoch))
        return Effect.logWarning("speech synthesis failed", error).pipe(
          Effect.andThen(
            Effect.sync(() => {
              if (clause.epoch === speech.epoch) onLost()
            })
          )
        )
      })
    )
  )
  const start = FiberHandle.run(worker, Effect.forever(speakNext))
  yield* start

  return {
    say: (text: string, epoch: number, verdict?: Verdict) =>
      speech.plan(text, epoch, verdict) && Queue.offerUnsafe(clauses, { text, epoch, verdict }),
    dropStale: Effect.suspend(() => (speakingEpoch === speech.epoch ? Effect.void : Effect.asVoid(start)))
  } satisfies Speaking
})
