/**
 * The speech-to-text stream of a call: opened at the start, reopened with back-off when lost. Speech that has no transcript yet
 * is kept, and replayed into the new stream, so that a lost connection loses no word.
 */
import { Clock, Effect, Schedule, Stream } from "effect"
import { AudioQueue } from "../../audio/AudioQueue.ts"
import { BYTES_PER_MS } from "../../audio/Frame.ts"
import * as Mulaw from "../../audio/Mulaw.ts"
import type { AgentConfig } from "../../domain/EngineProtocol.ts"
import { SpeechToText, type Transcription } from "../../domain/Speech.ts"
import type { Ear } from "./Session.ts"

/** Longest speech kept for a replay: 15 s; of a longer one the beginning is dropped. */
const keptBytes = 15_000 * BYTES_PER_MS
/** Providers close idle streams (Sarvam after 20 to 60 s): silence is sent while nobody speaks. */
const keepAliveEvery = "5 seconds"
const keepAliveSilence = new Int16Array(200 * BYTES_PER_MS)
/** Gives up, and lets the call say so, after about 10 s of failed attempts in a row. */
const reconnect = Schedule.max([
  Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("2 seconds")]),
  Schedule.recurs(8)
])

// Working memory of one synchronous call.
const samples = new Int16Array(200 * BYTES_PER_MS)

/** Pieces come as frames, or from a queue: at most 200 ms. */
const samplesOf = (audio: Uint8Array): Int16Array => {
  Mulaw.decodeInto(audio, samples)
  return samples.subarray(0, audio.length)
}

/** Speech since the last transcript. */
class Unanswered {
  private readonly kept = new AudioQueue(keptBytes)
  paused = false

  add(audio: Uint8Array): void {
    this.kept.push(audio)
  }
  clear(): void {
    this.kept.clear()
    this.paused = false
  }
  /** The caller is in the middle of saying something. */
  get growing(): boolean {
    return this.kept.length > 0 && !this.paused
  }
  replay(transcription: Transcription): void {
    this.kept.forEach((audio) => {
      transcription.push(samplesOf(audio))
    })
    if (this.paused && this.kept.length > 0) transcription.flush()
  }
}

/** A stream lost before it lived this long counts as short-lived; so many of them in a row are as good as none. */
const lastingMs = 10_000
const maxShortLived = 8
/** A provider that takes connections and drops them is asked less and less often. */
const reopenAfterMs = (shortLived: number) => Math.min(2_000, 50 * 2 ** shortLived)

export interface Listening {
  readonly ear: Ear
  /** Runs until the call ends; returns when the provider stayed out of reach. */
  readonly run: Effect.Effect<void, never, SpeechToText>
}

/** Hears of every final text, empty ones too (a noise), and of what a provider with partial results heard so far. */
export interface Hearer {
  readonly transcript: (text: string) => void
  readonly partial: (text: string) => void
}

export const make = (agent: AgentConfig, hearer: Hearer): Listening => {
  const unanswered = new Unanswered()
  let open: Transcription | undefined

  const connect = Effect.gen(function* () {
    return yield* (yield* SpeechToText).open(agent.transcription)
    // A wrong key or model is as wrong the next time.
  }).pipe(Effect.retry({ schedule: reconnect, while: (error) => error.reason !== "rejected" }))

  const listen = Effect.scoped(
    Effect.gen(function* () {
      const transcription = yield* connect
      unanswered.replay(transcription)
      open = transcription
      yield* Effect.addFinalizer(() => Effect.sync(() => (open = undefined)))
      yield* Effect.forkScoped(
        Effect.forever(
          Effect.delay(
            Effect.sync(() => {
              // Never into the middle of speech: it would tear a word apart.
              if (!unanswered.growing) transcription.push(keepAliveSilence)
            }),
            keepAliveEvery
          )
        )
      )
      yield* Stream.runForEach(transcription.transcripts, (transcript) =>
        Effect.sync(() => {
          if (transcript._tag === "Partial") return hearer.partial(transcript.text)
          unanswered.clear()
          hearer.transcript(transcript.text)
        })
      ).pipe(Effect.catch((error) => Effect.logWarning("speech-to-text lost, reopening", error)))
    })
  )

  const listenAgain = Effect.gen(function* () {
    for (let shortLived = 0; shortLived < maxShortLived; ) {
      const began = yield* Clock.currentTimeMillis
      yield* listen
      shortLived = (yield* Clock.currentTimeMillis) - began < lastingMs ? shortLived + 1 : 0
      yield* Effect.sleep(reopenAfterMs(shortLived))
    }
    yield* Effect.logWarning("speech-to-text is lost again and again")
  })

  return {
    ear: {
      hear: (audio) => {
        if (unanswered.paused) unanswered.paused = false
        unanswered.add(audio)
        open?.push(samplesOf(audio))
      },
      pause: () => {
        unanswered.paused = true
        open?.flush()
      }
    },
    run: listenAgain.pipe(
      Effect.catch((error) => Effect.logWarning("speech-to-text is out of reach", error)),
      Effect.ensuring(Effect.sync(() => unanswered.clear()))
    )
  }
}
