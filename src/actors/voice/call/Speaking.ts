/** Turns planned clauses into audio, one after the other, ahead of what the caller hears. Fixed lines come from the cache. */
import { Effect, FiberHandle, Queue, Stream } from "effect"
import { type SpeechRequest, TextToSpeech } from "../../../domain/ai/providers/Speech.ts"
import { SpeechCache, speechCacheKey } from "../../../domain/ai/providers/SpeechCache.ts"
import type { AgentConfig } from "../../../domain/voice/engine/AgentConfig.ts"
import type { Clause, KnownSound } from "./KnownSound.ts"

/** So much sound may be ahead of what the caller hears. The rest is read from the provider later. Milliseconds. */
const creditMs = 15_000
const creditLook = "200 millis"

/** The failure of a clause that may not be heard. */
const unwanted = "unwanted"

export const speechRequest = (agent: AgentConfig, text: string): SpeechRequest => ({ text, ...agent.voice })

export interface Speaking {
  /**
   * Queues a clause; false when the agent was silenced since `epoch`. Synchronous. Its audio is requested at once and played when the
   * verdict allows it.
   */
  readonly say: (text: string, epoch: number, how?: Parameters<KnownSound["plan"]>[2]) => boolean
  /** Cancels the running synthesis when the agent was silenced since its clause was planned. Queued clauses from before that are skipped. */
  readonly dropStale: Effect.Effect<void>
}

/** The speech is lost when a clause of the current epoch cannot be synthesized. */
export const make = Effect.fnUntraced(function* (agent: AgentConfig, sound: KnownSound) {
  const tts = yield* TextToSpeech
  const cache = yield* SpeechCache
  const clauses = yield* Queue.unbounded<Clause>()
  if (sound.unfinished !== undefined) Queue.offerUnsafe(clauses, sound.unfinished)
  const worker = yield* FiberHandle.make<never>()

  let speakingEpoch = sound.epoch

  /** Returns when more sound may be sent, or when this epoch is over. */
  const credit = (epoch: number): Effect.Effect<void> =>
    Effect.suspend(() =>
      epoch !== sound.epoch || sound.unplayedMs <= creditMs
        ? Effect.void
        : Effect.andThen(Effect.sleep(creditLook), credit(epoch))
    )

  const speak = Effect.fnUntraced(function* ({ text, epoch, clause, verdict, sounded = 0 }: Clause) {
    speakingEpoch = epoch
    if (epoch !== sound.epoch) return
    /** A voice says the same text alike: what came of it before is left out. */
    let left = sounded
    const append = (audio: Uint8Array) => {
      const fresh = left === 0 ? audio : audio.subarray(left)
      left = Math.max(0, left - audio.length)
      if (fresh.length > 0) sound.send({ _tag: "Sound", epoch, clause, audio: fresh })
    }
    const end = () => sound.send({ _tag: "End", epoch, clause })
    // A customer may leave some lines empty: then there is nothing to synthesize.
    if (text.trim() === "") return end()
    const request = speechRequest(agent, text)
    // Only fixed lines are in the cache.
    const cached = verdict === undefined ? yield* cache.get(speechCacheKey(request)) : undefined
    if (cached !== undefined) append(cached)
    else {
      yield* Stream.runForEach(tts.synthesize(request), (audio) =>
        Effect.flatMap(verdict?.mayBeHeard ?? Effect.succeed(true), (mayBeHeard) =>
          mayBeHeard
            ? Effect.andThen(
                Effect.sync(() => append(audio)),
                credit(epoch)
              )
            : Effect.fail(unwanted)
        )
      )
    }
    end()
  })

  const speakNext = Queue.take(clauses).pipe(
    Effect.flatMap((clause) =>
      // Catches defects too: a dead worker would leave the caller in silence.
      Effect.catch(Effect.catchDefect(speak(clause), Effect.fail), (error) => {
        if (error === unwanted) return Effect.sync(() => sound.drop(clause))
        return Effect.logWarning("speech synthesis failed", error).pipe(
          Effect.andThen(
            Effect.sync(() => {
              if (clause.epoch === sound.epoch) sound.lose()
            })
          )
        )
      })
    )
  )
  const start = FiberHandle.run(worker, Effect.forever(speakNext))
  yield* start

  return {
    say: (text: string, epoch: number, how?: Parameters<KnownSound["plan"]>[2]) => {
      const clause = sound.plan(text, epoch, how)
      return clause !== undefined && Queue.offerUnsafe(clauses, clause)
    },
    dropStale: Effect.suspend(() => (speakingEpoch === sound.epoch ? Effect.void : Effect.asVoid(start)))
  } satisfies Speaking
})
