/** What is said in a recording, by the same recogniser that hears the calls: phrase by phrase, somewhat faster than it was spoken. */
import { Effect, Queue, Stream } from "effect"
import { phrasesOf } from "../../../audio/recording/Phrases.ts"
import { SpeechToText, type TranscriptionOptions } from "../../../domain/ai/providers/Speech.ts"
import { traced } from "../../../domain/basics/Traced.ts"

export interface SaidPhrase {
  readonly text: string
  /** Milliseconds of the recording. */
  readonly startMs: number
  readonly endMs: number
}

const samplesPerMs = 8
/** Pieces and pauses between them: five times as fast as speech, so that no buffer on the way overflows. */
const pieceSamples = 500 * samplesPerMs
const pieceEvery = "100 millis"
/** A recogniser that heard no speech in a phrase may stay silent about it. */
const answerWithin = "8 seconds"
/** It may have cut the phrase in two; what comes after the first part comes soon. */
const moreWithin = "400 millis"

const openStream = Effect.fnUntraced(function* (options: TranscriptionOptions) {
  const transcription = yield* (yield* SpeechToText).open(options)
  const answers = yield* Stream.toQueue(transcription.transcripts, { capacity: 256 })
  return { transcription, answers }
})

/** What a stream hears in `samples`; undefined when it says nothing about them. */
const ask = Effect.fnUntraced(function* (
  { transcription, answers }: Effect.Success<ReturnType<typeof openStream>>,
  samples: Int16Array
) {
  for (let at = 0; at < samples.length; at += pieceSamples) {
    transcription.push(samples.subarray(at, at + pieceSamples))
    yield* Effect.sleep(pieceEvery)
  }
  transcription.flush()
  const texts: Array<string> = []
  let next = yield* Effect.timeoutOption(Queue.take(answers), answerWithin)
  while (next._tag === "Some") {
    if (next.value._tag === "Final") texts.push(next.value.text.trim())
    next = yield* Effect.timeoutOption(Queue.take(answers), moreWithin)
  }
  return texts.length === 0 ? undefined : texts.filter((part) => part !== "").join(" ")
})

/**
 * The phrases in which something was understood, in order. A phrase that a stream says nothing about is asked of another one before it is taken for
 * a noise: the first may have swallowed it. Fails with SpeechError; then nothing of it counts.
 */
export const transcribe = traced("Voicemail.transcribe")(function* (
  samples: Int16Array,
  options: TranscriptionOptions
) {
  const stream = yield* openStream(options)
  const said: Array<SaidPhrase> = []
  for (const { from, to } of phrasesOf(samples)) {
    const phrase = samples.subarray(from, to)
    const text =
      (yield* ask(stream, phrase)) ??
      (yield* Effect.scoped(Effect.flatMap(openStream(options), (other) => ask(other, phrase))))
    if (text !== undefined && text !== "")
      said.push({ text, startMs: Math.round(from / samplesPerMs), endMs: Math.round(to / samplesPerMs) })
  }
  return said
}, Effect.scoped)
