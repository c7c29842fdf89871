/**
 * The speech-to-text stream of a call: opened at the start, reopened with back-off when lost. Speech that has no transcript yet
 * is kept, and replayed into the new stream, so that a lost connection loses no word. A stream that has nothing to say to
 * what sounded like speech is doubted, it may have swallowed it: others are asked before it is taken for a noise.
 */
import { Clock, Effect, Schedule, Stream } from "effect"
import { AudioQueue } from "../../../audio/frames/AudioQueue.ts"
import { BYTES_PER_MS } from "../../../audio/frames/Frame.ts"
import * as Mulaw from "../../../audio/frames/Mulaw.ts"
import { longestBurstMs, SpeechToText, type Transcription } from "../../../domain/ai/providers/Speech.ts"
import type { AgentConfig } from "../../../domain/voice/engine/AgentConfig.ts"
import type { SpeechSink } from "./CallAudio.ts"

/** Longest speech kept for a replay; of a longer one the beginning is dropped. */
const keptBytes = longestBurstMs * BYTES_PER_MS
/** Kept audio of less than this (0.4 s of it was before the speech) is believed to be a noise. */
const doubtfulBytes = 700 * BYTES_PER_MS
/** So many more streams are asked what was said: over about 3 s, by the back-off between them. */
const maxReplays = 5
/** When none of them heard anything either, the line is noisy: no stream of it is doubted for so long. */
const trustMs = 30_000
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

/** A pause that has no answer after so long gets none any more; what comes then answers a later one. */
const answersWithinMs = 5_000

/** The caller paused when `at` bytes of speech had been heard, and a transcript was asked for. */
interface Pause {
  readonly at: number
  readonly ms: number
  /** How many pauses of the caller it stands for of which the hearer was told nothing yet: more than one in a replay. */
  untold: number
}

/** Speech without a transcript, and the pauses in it. Transcripts come in order, so what was said after the pause that one answers stays. */
class Unanswered {
  private readonly kept = new AudioQueue(keptBytes)
  private readonly pauses: Array<Pause> = []
  /** Bytes of speech since the beginning, and how many of them were asked about. */
  private heard = 0
  private asked = 0
  /** Pauses that a replay in the middle of speech put off to the next one. */
  private untold = 0
  private replays = 0
  private trustedUntilMs = Number.NEGATIVE_INFINITY

  add(audio: Uint8Array): void {
    this.kept.push(audio)
    this.heard += audio.length
  }
  pause(nowMs: number): void {
    this.ask(nowMs, this.untold + 1)
  }
  /**
   * A transcript came at `nowMs` that answers so many pauses: forgets what it is of. Says how many answers the hearer is to be told. One of
   * speech that the provider ended by itself answers none: it is of what was heard up to the next pause.
   */
  answered(nowMs: number, answers?: number): number {
    if (answers === undefined) this.dropStale(nowMs)
    this.replays = 0
    const answered = this.pauses.splice(0, answers ?? 1)
    this.kept.drop(this.bytesUntil(answers === 0 ? this.pauses[0] : answered.at(-1)))
    return answered.reduce((sum, { untold }) => sum + untold, 0)
  }
  /** The pause that is answered next gets none for now: how many answers the hearer is to be told instead. */
  putOff(): number {
    const [pause] = this.pauses
    if (pause === undefined) return 0
    const { untold } = pause
    pause.untold = 0
    return untold
  }
  clear(): void {
    this.kept.clear()
    this.pauses.length = 0
    this.untold = 0
    this.replays = 0
  }
  /** One stream says at `nowMs` that nothing was said: whether another is to be asked, which counts as one more. */
  askAgain(nowMs: number): boolean {
    this.dropStale(nowMs)
    if (this.bytesUntil(this.pauses[0]) < doubtfulBytes || nowMs < this.trustedUntilMs) return false
    if (this.replays < maxReplays) {
      this.replays++
      return true
    }
    this.trustedUntilMs = nowMs + trustMs
    return false
  }
  /** How many other streams were asked what was said, and none knew yet. */
  get doubts(): number {
    return this.replays
  }
  /** The caller is in the middle of saying something. */
  get growing(): boolean {
    return this.kept.length > 0 && this.heard > this.asked
  }
  /** A new stream hears all of it at once, and is asked once. */
  replay(transcription: Transcription, nowMs: number): void {
    this.kept.forEach((audio) => {
      transcription.push(samplesOf(audio))
    })
    this.untold += this.pauses.reduce((sum, { untold }) => sum + untold, 0)
    this.pauses.length = 0
    if (this.kept.length === 0 || this.growing) return
    this.ask(nowMs, this.untold)
    transcription.flush()
  }

  private ask(nowMs: number, untold: number): void {
    this.asked = this.heard
    this.untold = 0
    this.pauses.push({ at: this.heard, ms: nowMs, untold })
  }
  private dropStale(nowMs: number): void {
    while (this.pauses.length > 1 && nowMs - this.pauses[0].ms > answersWithinMs) this.pauses.shift()
  }
  /** How much of what is kept was said before a pause; all of it when the provider heard the end of speech by itself. */
  private bytesUntil(pause: Pause | undefined): number {
    return Math.max(0, this.kept.length - (this.heard - (pause?.at ?? this.heard)))
  }
}

/** A stream lost before it lived this long counts as short-lived; so many of them in a row are as good as none. */
const lastingMs = 10_000
const maxShortLived = 8
/** A provider that takes connections and drops them is asked less and less often. */
const reopenAfterMs = (shortLived: number) => Math.min(2_000, 50 * 2 ** shortLived)

export interface Listening {
  readonly sink: SpeechSink
  /** Whether words may still come of speech in which nothing was heard. */
  readonly doubts: () => boolean
  /** Runs until the call ends; returns when the provider stayed out of reach. */
  readonly run: Effect.Effect<void, never, SpeechToText>
}

/**
 * @param transcript hears of every text, empty ones too (a noise).
 * @param now monotonic milliseconds.
 */
export const make = (agent: AgentConfig, transcript: (text: string) => void, now: () => number): Listening => {
  const unanswered = new Unanswered()
  let open: Transcription | undefined

  const final = (text: string, answers: number | undefined) => {
    const untold = unanswered.answered(now(), answers)
    transcript(text)
    // Behind the words: of the other pauses that they answer there is nothing more to come.
    nothing(untold - 1)
  }
  const nothing = (times: number) => {
    for (let i = 0; i < times; i++) transcript("")
  }
  /** False when the stream is not to be believed. Words that another one hears after all come as if they were late. */
  const nothingHeard = (): boolean => {
    const nowMs = now()
    const doubted = unanswered.askAgain(nowMs)
    nothing(doubted ? unanswered.putOff() : unanswered.answered(nowMs))
    return !doubted
  }

  const connect = Effect.gen(function* () {
    return yield* (yield* SpeechToText).open(agent.transcription)
    // A wrong key or model is as wrong the next time.
  }).pipe(Effect.retry({ schedule: reconnect, while: (error) => error.reason !== "rejected" }))

  /** False when the stream was closed because it was not believed. */
  const listen = Effect.scoped(
    Effect.gen(function* () {
      const transcription = yield* connect
      let believed = true
      unanswered.replay(transcription, now())
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
      yield* Stream.runForEachWhile(transcription.transcripts, (heard) =>
        Effect.sync(() => {
          if (heard._tag === "Unanswered") believed = nothingHeard()
          else final(heard.text, heard.answers)
          return believed
        })
      ).pipe(Effect.catch((error) => Effect.logWarning("speech-to-text lost, reopening", error)))
      return believed
    })
  )

  const listenAgain = Effect.gen(function* () {
    for (let shortLived = 0; shortLived < maxShortLived; ) {
      const began = yield* Clock.currentTimeMillis
      const lost = yield* listen
      if ((yield* Clock.currentTimeMillis) - began >= lastingMs) shortLived = 0
      // One that was doubted is not lost: a caller who breathes loudly between words must not end the call.
      else if (lost) shortLived++
      yield* Effect.sleep(reopenAfterMs(Math.max(shortLived, unanswered.doubts)))
    }
    yield* Effect.logWarning("speech-to-text is lost again and again")
  })

  return {
    sink: {
      hear: (audio) => {
        unanswered.add(audio)
        open?.push(samplesOf(audio))
      },
      pause: () => {
        unanswered.pause(now())
        open?.flush()
      }
    },
    doubts: () => unanswered.doubts > 0,
    run: listenAgain.pipe(
      Effect.catch((error) => Effect.logWarning("speech-to-text is out of reach", error)),
      Effect.ensuring(Effect.sync(() => unanswered.clear()))
    )
  }
}
