/**
 * The speech-to-text stream of a call: opened at the start, and reopened with back-off when it is lost. Speech without a transcript is kept
 * and replayed into the new stream, so that a lost connection loses no word. When a stream gives no transcript for what sounded like speech,
 * the stream may have missed it: other streams get the same audio before it counts as noise.
 */
import { Clock, Effect, Schedule, Stream } from "effect"
import { AudioQueue } from "../../../audio/frames/AudioQueue.ts"
import { BYTES_PER_MS } from "../../../audio/frames/Frame.ts"
import * as Mulaw from "../../../audio/frames/Mulaw.ts"
import { longestBurstMs, SpeechToText, type Transcription } from "../../../domain/ai/providers/Speech.ts"
import type { AgentConfig } from "../../../domain/voice/engine/AgentConfig.ts"
import type { SpeechSink } from "./CallAudio.ts"

/** Longest speech that is kept for a replay. The beginning of longer speech is dropped. */
const keptBytes = longestBurstMs * BYTES_PER_MS
/** Kept audio shorter than this counts as noise without asking again (0.4 s of it precede the speech). */
const doubtfulBytes = 700 * BYTES_PER_MS
/** This many more streams are asked what was said. With the back-off between them that takes about 3 s. */
const maxReplays = 5
/** When none of them heard anything either, the line is noisy: for this long every stream of the call is believed. Milliseconds. */
const trustMs = 30_000
/** Providers close idle streams (Sarvam after 20 to 60 s): silence is sent while nobody speaks. */
const keepAliveEvery = "5 seconds"
const keepAliveSilence = new Int16Array(200 * BYTES_PER_MS)
/** Gives up after about 10 s of failed attempts in a row; the call then tells the caller. */
const reconnect = Schedule.max([
  Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("2 seconds")]),
  Schedule.recurs(8)
])

// Working memory of one synchronous call.
const samples = new Int16Array(200 * BYTES_PER_MS)

/** Takes a piece of at most 200 ms. The result is overwritten by the next call. */
const samplesOf = (audio: Uint8Array): Int16Array => {
  Mulaw.decodeInto(audio, samples)
  return samples.subarray(0, audio.length)
}

/** A pause without an answer after this time gets none any more: a transcript that comes then answers a later pause. Milliseconds. */
const answersWithinMs = 5_000

/** A pause of the caller, at which a transcript was asked for. `at`: bytes of speech heard until then. `ms`: its time. */
interface Pause {
  readonly at: number
  readonly ms: number
  /** How many pauses of the caller it stands for whose answer was not reported yet. More than one after a replay. */
  untold: number
}

/** Speech without a transcript, and the pauses in it. Transcripts come in order: one removes only the speech before the pause it answers. */
class Unanswered {
  private readonly kept = new AudioQueue(keptBytes)
  private readonly pauses: Array<Pause> = []
  /** Bytes of speech since the beginning, and how many of them had been heard when a transcript was last asked for. */
  private heard = 0
  private asked = 0
  /** Pauses that a replay in the middle of speech adds to the next pause. */
  private untold = 0
  private replays = 0
  /** The last transcript, and how much speech had been heard when it came. */
  private lastText = ""
  private heardAtLast = 0
  private trustedUntilMs = Number.NEGATIVE_INFINITY

  add(audio: Uint8Array): void {
    this.kept.push(audio)
    this.heard += audio.length
  }
  pause(nowMs: number): void {
    this.ask(nowMs, this.untold + 1)
  }
  /**
   * A transcript came at `nowMs` and answers `answers` pauses (default 1): forgets the speech it covers, and returns how many answers are to be
   * reported. 0: the provider found the end of speech by itself; the transcript then covers the speech up to the next pause.
   */
  answered(nowMs: number, answers?: number): number {
    if (answers === undefined) this.dropStale(nowMs)
    this.replays = 0
    const answered = this.pauses.splice(0, answers ?? 1)
    this.kept.drop(this.bytesUntil(answers === 0 ? this.pauses[0] : answered.at(-1)))
    return answered.reduce((sum, { untold }) => sum + untold, 0)
  }
  /** The next pause gets no answer for now. Returns how many answers are to be reported in its place. */
  putOff(): number {
    const [pause] = this.pauses
    if (pause === undefined) return 0
    const { untold } = pause
    pause.untold = 0
    return untold
  }
  /** Whether a transcript with this text only repeats the last one: nothing was heard since, and no pause waits for an answer. */
  repeats(text: string): boolean {
    const again = text !== "" && text === this.lastText && this.heard === this.heardAtLast && this.pauses.length === 0
    this.lastText = text
    this.heardAtLast = this.heard
    return again
  }
  clear(): void {
    this.kept.clear()
    this.pauses.length = 0
    this.untold = 0
    this.replays = 0
  }
  /** A stream says at `nowMs` that nothing was said. Returns whether to ask another stream, and counts that one. */
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
  /** How many other streams were asked what was said, without an answer so far. */
  get doubts(): number {
    return this.replays
  }
  /** True while the caller is in the middle of speech. */
  get growing(): boolean {
    return this.kept.length > 0 && this.heard > this.asked
  }
  /** Sends all kept speech into a new stream, and asks for one transcript of it unless the caller is still speaking. */
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
  /** Bytes of the kept speech from before `pause`; all of it when there is no pause. */
  private bytesUntil(pause: Pause | undefined): number {
    return Math.max(0, this.kept.length - (this.heard - (pause?.at ?? this.heard)))
  }
}

/** A stream that is lost before this time counts as short-lived. After `maxShortLived` of them in a row the call gives up. */
const lastingMs = 10_000
const maxShortLived = 8
/** A provider that accepts connections and drops them is asked less and less often. Milliseconds. */
const reopenAfterMs = (shortLived: number) => Math.min(2_000, 50 * 2 ** shortLived)

export interface Listening {
  readonly sink: SpeechSink
  /** Whether words may still come for speech in which one stream heard nothing. */
  readonly doubts: () => boolean
  /** Runs until the call ends. Returns early when the provider stays unreachable. */
  readonly run: Effect.Effect<void, never, SpeechToText>
}

/**
 * @param transcript gets every text; an empty one means noise.
 * @param now monotonic milliseconds.
 */
export const make = (agent: AgentConfig, transcript: (text: string) => void, now: () => number): Listening => {
  const unanswered = new Unanswered()
  let open: Transcription | undefined

  const final = (text: string, answers: number | undefined) => {
    // Some providers send a transcript twice. The words would be doubled, or answered twice.
    if (unanswered.repeats(text)) return
    const untold = unanswered.answered(now(), answers)
    transcript(text)
    // After the words: the other pauses that they answer get an empty text each.
    nothing(untold - 1)
  }
  const nothing = (times: number) => {
    for (let i = 0; i < times; i++) transcript("")
  }
  /** False when the stream is not believed. Words that another stream hears then arrive like a late transcript. */
  const nothingHeard = (): boolean => {
    const nowMs = now()
    const doubted = unanswered.askAgain(nowMs)
    nothing(doubted ? unanswered.putOff() : unanswered.answered(nowMs))
    return !doubted
  }

  const connect = Effect.gen(function* () {
    return yield* (yield* SpeechToText).open(agent.transcription)
    // Not after "rejected": a wrong key or model stays wrong.
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
              // Never in the middle of speech: silence would split a word.
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
      // A stream that was closed because it was not believed is not lost: a caller who breathes loudly must not end the call.
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
