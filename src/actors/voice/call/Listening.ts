/**
 * The speech-to-text stream of a call: opened at the start, and reopened with back-off when it is lost. The sound keeps the speech without a transcript,
 * and the new stream hears it again, so that a lost connection loses no word. When a stream gives no transcript for what sounded like speech,
 * the stream may have missed it: other streams get the same audio before it counts as noise.
 */
import { Clock, Effect, Schedule, Stream } from "effect"
import { BYTES_PER_MS } from "../../../audio/frames/Frame.ts"
import * as Mulaw from "../../../audio/frames/Mulaw.ts"
import { longestBurstMs, SpeechToText, type Transcription } from "../../../domain/ai/providers/Speech.ts"
import type { AgentConfig } from "../../../domain/voice/engine/AgentConfig.ts"
import type { SpeechSink } from "../sound/CallSound.ts"

/** Longest speech that is replayed. The beginning of longer speech is dropped. */
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

/** A pause of the caller, at which a transcript was asked for. `at`: its position in the speech. `ms`: its time. */
interface Pause {
  readonly at: number
  readonly ms: number
  /** How many pauses of the caller it stands for whose answer was not reported yet. More than one after a replay. */
  untold: number
}

/**
 * Where the speech without a transcript begins, and the pauses in it. The sound keeps the speech itself. Transcripts come in order: one answers only the
 * speech before its pause. A position counts the bytes of speech since the beginning of the call.
 */
class Unanswered {
  private readonly pauses: Array<Pause> = []
  /** The speech from `begin` to `heard` has no transcript; one was last asked for at `asked`. */
  private begin: number
  private heard: number
  private asked: number
  /** Pauses that a replay in the middle of speech adds to the next pause. */
  private untold = 0
  private replays = 0
  /** The last transcript, and how much speech had been heard when it came. */
  private lastText = ""
  private heardAtLast = 0
  private trustedUntilMs = Number.NEGATIVE_INFINITY

  constructor(from: number) {
    this.begin = from
    this.heard = from
    this.asked = from
  }

  /** What comes before this position is understood, or too old. */
  get from(): number {
    return this.begin
  }
  /** Speech up to `position` was heard. */
  add(position: number): void {
    this.heard = Math.max(this.heard, position)
    this.begin = Math.max(this.begin, this.heard - keptBytes)
  }
  pause(position: number, nowMs: number): void {
    this.ask(position, nowMs, this.untold + 1)
  }
  /**
   * A transcript came at `nowMs` and answers `answers` pauses (default 1): the speech that it covers is understood. Returns how many answers are to be
   * reported. 0: the provider found the end of speech by itself; the transcript then covers the speech up to the next pause.
   */
  answered(nowMs: number, answers?: number): number {
    if (answers === undefined) this.dropStale(nowMs)
    this.replays = 0
    const answered = this.pauses.splice(0, answers ?? 1)
    const last = answers === 0 ? this.pauses[0] : answered.at(-1)
    this.begin = Math.max(this.begin, last?.at ?? this.heard)
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
    this.begin = this.heard
    this.pauses.length = 0
    this.untold = 0
    this.replays = 0
  }
  /** A stream says at `nowMs` that nothing was said. Returns whether to ask another stream, and counts that one. */
  askAgain(nowMs: number): boolean {
    this.dropStale(nowMs)
    if ((this.pauses[0]?.at ?? this.heard) - this.begin < doubtfulBytes || nowMs < this.trustedUntilMs) return false
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
    return this.heard > this.begin && this.heard > this.asked
  }
  /**
   * A new stream hears all of it again. One transcript answers it: the position at which to ask for that, or undefined when there is nothing to ask for,
   * or the caller is still speaking.
   */
  beginAgain(nowMs: number): number | undefined {
    this.untold += this.pauses.reduce((sum, { untold }) => sum + untold, 0)
    this.pauses.length = 0
    if (this.heard === this.begin || this.growing) return undefined
    this.ask(this.heard, nowMs, this.untold)
    return this.heard
  }

  private ask(at: number, nowMs: number, untold: number): void {
    this.asked = at
    this.untold = 0
    this.pauses.push({ at, ms: nowMs, untold })
  }
  private dropStale(nowMs: number): void {
    while (this.pauses.length > 1 && nowMs - this.pauses[0].ms > answersWithinMs) this.pauses.shift()
  }
}

/**
 * One stream of speech-to-text, which takes the speech in order from a position on, each byte once. Speech that was on its way when the stream began comes
 * once more: what was not taken is taken then. A pause that comes before its speech waits for it.
 */
class Hearing {
  private readonly transcription: Transcription
  private at: number
  private readonly pauses: Array<number> = []

  constructor(transcription: Transcription, from: number) {
    this.transcription = transcription
    this.at = from
  }

  hear(audio: Uint8Array, position: number, again: boolean): void {
    const end = position + audio.length
    if (end <= this.at || (position > this.at && !again)) return
    let sent = Math.max(0, this.at - position)
    while (this.pauses.length > 0 && this.pauses[0] <= end) {
      const upTo = Math.max(sent, this.pauses[0] - position)
      this.push(audio.subarray(sent, upTo))
      sent = upTo
      this.pauses.shift()
      this.transcription.flush()
    }
    this.push(sent === 0 ? audio : audio.subarray(sent))
    this.at = end
  }
  pause(position: number): void {
    if (position <= this.at) this.transcription.flush()
    else this.pauses.push(position)
  }

  private push(audio: Uint8Array): void {
    if (audio.length > 0) this.transcription.push(samplesOf(audio))
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

export interface ListeningOptions {
  readonly agent: AgentConfig
  /** Gets every text; an empty one means noise. Speech before the position `understood` will not be asked for again. */
  readonly transcript: (text: string, understood: number) => void
  /** Asks the sound for the caller's speech from a position on. */
  readonly replay: (from: number) => void
  /** Monotonic milliseconds. */
  readonly now: () => number
  /** The position up to which the caller is understood already. */
  readonly from?: number
}

export const make = ({ agent, transcript, replay, now, from = 0 }: ListeningOptions): Listening => {
  const unanswered = new Unanswered(from)
  let open: Hearing | undefined

  const final = (text: string, answers: number | undefined) => {
    // Some providers send a transcript twice. The words would be doubled, or answered twice.
    if (unanswered.repeats(text)) return
    const untold = unanswered.answered(now(), answers)
    transcript(text, unanswered.from)
    // After the words: the other pauses that they answer get an empty text each.
    nothing(untold - 1)
  }
  const nothing = (times: number) => {
    for (let i = 0; i < times; i++) transcript("", unanswered.from)
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
      const { from } = unanswered
      const askAt = unanswered.beginAgain(now())
      open = new Hearing(transcription, from)
      if (askAt !== undefined) open.pause(askAt)
      replay(from)
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
      hear: (audio, position, again) => {
        unanswered.add(position + audio.length)
        open?.hear(audio, position, again)
      },
      pause: (position) => {
        unanswered.pause(position, now())
        open?.pause(position)
      }
    },
    doubts: () => unanswered.doubts > 0,
    run: listenAgain.pipe(
      Effect.catch((error) => Effect.logWarning("speech-to-text is out of reach", error)),
      Effect.ensuring(Effect.sync(() => unanswered.clear()))
    )
  }
}
