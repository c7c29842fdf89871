/** Turns planned clauses into audio, one after the other, ahead of what is being heard. Fixed lines come from the cache. */
import { Effect, FiberHandle, Queue, Stream } from "effect"
import type { AgentConfig } from "../../domain/EngineProtocol.ts"
import { type SpeechRequest, TextToSpeech } from "../../domain/Speech.ts"
import { SpeechCache, speechCacheKey } from "../../domain/SpeechCache.ts"
import type { Session } from "./Session.ts"

interface Clause {
  readonly text: string
  readonly epoch: number
}

export const speechRequest = (agent: AgentConfig, text: string): SpeechRequest => ({ text, ...agent.voice })

export interface Speaking {
  /** Queues a clause; false when the agent was silenced since `epoch`. Synchronous. */
  readonly say: (text: string, epoch: number) => boolean
  /** Cancels the synthesis under way when the agent was silenced since it was planned (queued clauses of that time are skipped). */
  readonly dropStale: Effect.Effect<void>
}

/** `onLost` is called when a clause could not be synthesized; the clause's words count as unheard. */
export const make = Effect.fnUntraced(function* (agent: AgentConfig, session: Session, onLost: () => void) {
  const tts = yield* TextToSpeech
  const cache = yield* SpeechCache
  const clauses = yield* Queue.unbounded<Clause>()
  const worker = yield* FiberHandle.make<never>()

  let speakingEpoch = session.epoch

  const speak = Effect.fnUntraced(function* ({ text, epoch }: Clause) {
    speakingEpoch = epoch
    if (!session.beginClause(text, epoch)) return
    // Some lines may be left empty by the customer: there is nothing to synthesize then.
    if (text.trim() === "") return session.endClause(epoch)
    const request = speechRequest(agent, text)
    const cached = yield* cache.get(speechCacheKey(request))
    if (cached !== undefined) session.append(cached, epoch)
    else {
      yield* Stream.runForEach(tts.synthesize(request), (audio) => Effect.sync(() => session.append(audio, epoch)))
    }
    session.endClause(epoch)
  })

  const speakNext = Queue.take(clauses).pipe(
    Effect.flatMap((clause) =>
      // Defects too: a worker that died in silence would leave the caller in silence.
      Effect.catch(Effect.catchDefect(speak(clause), Effect.fail), (error) =>
        Effect.logWarning("speech synthesis failed", error).pipe(
          Effect.andThen(
            Effect.sync(() => {
              if (clause.epoch === session.epoch) onLost()
            })
          )
        )
      )
    )
  )
  const start = FiberHandle.run(worker, Effect.forever(speakNext))
  yield* start

  return {
    say: (text: string, epoch: number) => session.plan(text, epoch) && Queue.offerUnsafe(clauses, { text, epoch }),
    dropStale: Effect.suspend(() => (speakingEpoch === session.epoch ? Effect.void : Effect.asVoid(start)))
  } satisfies Speaking
})
