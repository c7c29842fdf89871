/**
 * Makes words of what a person says who has taken a call over: for the transcript, and for the agent, which goes on afterwards. Speech-to-text is opened
 * when the person begins. Nobody waits for it: when it fails, the call goes on without these words.
 */
import { Effect, Schedule, Stream } from "effect"
import { AudioQueue } from "../../../audio/frames/AudioQueue.ts"
import { BYTES_PER_MS, FRAME_BYTES, FRAME_MS } from "../../../audio/frames/Frame.ts"
import * as Mulaw from "../../../audio/frames/Mulaw.ts"
import { Vad, VadEvent } from "../../../audio/vad/Vad.ts"
import { longestBurstMs, SpeechToText, type Transcription } from "../../../domain/ai/providers/Speech.ts"
import type { Said } from "../../../domain/voice/dialogue/Call.ts"
import type { AgentConfig } from "../../../domain/voice/engine/AgentConfig.ts"

/** Audio from before the speech was sure, so that first syllables are not lost. Milliseconds. */
const preRollMs = 400
/** A pause of so long ends an utterance. Milliseconds. */
const pauseMs = 500
/** What was said last is still waited for when the person has left. */
const lastWordsWithin = "5 seconds"
const reconnect = Schedule.max([
  Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("2 seconds")]),
  Schedule.recurs(8)
])

// Working memory of one synchronous frame.
const pcm = new Int16Array(FRAME_BYTES)
const samples = new Int16Array(200 * BYTES_PER_MS)

export interface PersonListeningOptions {
  readonly agent: AgentConfig
  /** Milliseconds of the call. */
  readonly elapsed: () => number
  readonly said: (said: Said) => void
}

type Span = Omit<Said, "text">

/** What a person says from the moment they have the call. Make a new one each time. */
export const make = ({ agent, elapsed, said }: PersonListeningOptions) => {
  const vad = new Vad()
  const preRoll = new AudioQueue(preRollMs * BYTES_PER_MS)
  /** Speech that no stream has heard yet. */
  const early = new AudioQueue(longestBurstMs * BYTES_PER_MS)
  /** Utterances that have no words yet, and whether a stream was asked for them. */
  let asked: Array<Span> = []
  let unasked: Array<Span> = []
  let open: Transcription | undefined
  let startMs = -1
  let quietMs = 0

  const push = (audio: Uint8Array): void => {
    if (open === undefined) {
      early.push(audio)
      return
    }
    Mulaw.decodeInto(audio, samples)
    open.push(samples.subarray(0, audio.length))
  }
  /** The utterance under way is over: asks for its words. */
  const flush = (): void => {
    if (startMs < 0) return
    const span = { startMs, endMs: elapsed() - quietMs }
    startMs = -1
    if (open === undefined) {
      unasked.push(span)
      return
    }
    asked.push(span)
    open.flush()
  }

  /** 20 ms of the person's microphone. Synchronous. */
  const frame = (audio: Uint8Array): void => {
    Mulaw.decodeInto(audio, pcm)
    const event = vad.step(pcm)
    if (event === VadEvent.SpeechStarted && startMs < 0) {
      startMs = Math.max(0, elapsed() - preRollMs)
      preRoll.drain(push)
    }
    if (startMs < 0) {
      preRoll.push(audio)
      return
    }
    push(audio)
    quietMs = vad.speaking ? 0 : quietMs + FRAME_MS
    if (quietMs >= pauseMs) flush()
  }

  const transcribe = Effect.scoped(
    Effect.gen(function* () {
      const stt = yield* SpeechToText
      const stream = yield* Effect.retry(stt.open(agent.transcription), {
        schedule: reconnect,
        while: (error) => error.reason !== "rejected"
      })
      open = stream
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          open = undefined
          asked = []
        })
      )
      early.drain(push)
      if (unasked.length > 0) {
        // One transcript has the words of all of them.
        const span = { startMs: unasked[0].startMs, endMs: unasked[unasked.length - 1].endMs }
        unasked = []
        asked.push(span)
        stream.flush()
      }
      yield* Stream.runForEach(stream.transcripts, (heard) =>
        Effect.sync(() => {
          if (heard._tag === "Unanswered") return void asked.shift()
          const answered = asked.splice(0, heard.answers ?? 1)
          const at = elapsed()
          const span = answered[0] ?? { startMs: startMs < 0 ? at : startMs, endMs: at }
          const text = heard.text.trim()
          if (text !== "") said({ text, startMs: span.startMs, endMs: answered.at(-1)?.endMs ?? span.endMs })
        })
      )
    })
  )

  /** Runs until it is interrupted, which `end` makes safe. */
  const run = Effect.forever(
    Effect.catch(transcribe, (error) =>
      Effect.andThen(
        Effect.logWarning("speech-to-text of a person in a call is lost, reopening", error),
        Effect.sleep("2 seconds")
      )
    )
  )

  return {
    frame,
    run,
    /** The person has left: asks for the last words, and returns when they are there. */
    end: Effect.suspend(() => {
      flush()
      return Effect.retry(
        Effect.suspend(() => (asked.length + unasked.length > 0 ? Effect.fail("waiting" as const) : Effect.void)),
        { schedule: Schedule.spaced("20 millis") }
      )
    }).pipe(Effect.timeout(lastWordsWithin), Effect.ignore)
  }
}
export type PersonListening = ReturnType<typeof make>
