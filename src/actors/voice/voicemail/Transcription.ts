/** Transcribes a recording phrase by phrase with the speech-to-text provider of the calls, faster than it was spoken. */
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
/** Pieces of 500 ms every 100 ms: five times as fast as speech, so that no buffer on the way overflows. */
const pieceSamples = 500 * samplesPerMs
const pieceEvery = "100 millis"
/** A provider that hears no speech in a phrase may send no answer. */
const answerWithin = "8 seconds"
/** The provider may have split the phrase; the other parts come soon after the first. */
const moreWithin = "400 millis"

const openStream = Effect.fnUntraced(function* (options: TranscriptionOptions) {
  const transcription = yield* (yield* SpeechToText).open(options)
  const answers = yield* Stream.toQueue(transcription.transcripts, { capacity: 256 })
  return { transcription, answers }
})

/** The text that a stream hears in `samples`; undefined when it sends no answer. */
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
 * The phrases with words, in order. When a stream sends no answer for a phrase, it may have missed the phrase, so a second stream gets the
 * phrase before it counts as noise. Fails with SpeechError, without a partial result.
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
