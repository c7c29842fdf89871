/**
 * Ports of the speech providers. Audio inside Parley is 8 kHz mono: speech-to-text takes `Int16Array` samples, text-to-speech gives mu-law bytes,
 * which the telephone line carries.
 */
import { Context, type Effect, Schema, type Scope, type Stream } from "effect"

/** Why a speech provider failed. `rejected`: the request itself is wrong, do not retry. */
export class SpeechError extends Schema.TaggedError<SpeechError>()("SpeechError", {
  provider: Schema.String,
  reason: Schema.Literals(["unavailable", "timeout", "rejected", "protocol"]),
  message: Schema.String
}) {}

/**
 * A transcript from the recogniser. Words come when the caller pauses, not before. `Unanswered`: the provider did not answer a flush, because it
 * heard no speech or because it does not listen.
 */
export type Transcript =
  | { readonly _tag: "Unanswered" }
  | {
      readonly _tag: "Final"
      readonly text: string
      readonly language: string | undefined
      /** How many flushes, the oldest first, this answers; default 1. 0 when the provider detected the end of speech by itself. */
      readonly answers?: number
    }

/** The most speech that a stream accepts at once, so that the speech of a lost stream can be sent again. Milliseconds. */
export const longestBurstMs = 15_000

/** An open recognition stream. It closes with the scope in which it was opened. */
export interface Transcription {
  /**
   * Sends samples (8 kHz, any length), up to `longestBurstMs` of them at once. It is synchronous, because the frame path calls it. The caller may
   * reuse `samples` afterwards.
   */
  readonly push: (samples: Int16Array) => void
  /**
   * Asks for the transcript of all samples so far, when the VAD detected the end of speech. A `Final` or `Unanswered` follows, or the stream fails.
   */
  readonly flush: () => void
  /** Fails with SpeechError when the connection is lost, and does not end otherwise. It has one reader. */
  readonly transcripts: Stream.Stream<Transcript, SpeechError>
}

export interface TranscriptionOptions {
  /** The locked model name, e.g. `saarika:v2.5`; the adapter maps it to the provider's current one. */
  readonly model: string
  /** BCP 47, e.g. `hi-IN`. */
  readonly language: string
}

/** Port of speech-to-text. `open` connects to the provider and fails with SpeechError when it cannot. */
export class SpeechToText extends Context.Service<
  SpeechToText,
  { readonly open: (options: TranscriptionOptions) => Effect.Effect<Transcription, SpeechError, Scope.Scope> }
>()("parley/domain/SpeechToText") {}

export const VoiceFamily = Schema.Literals(["indic", "english", "premium"])
export type VoiceFamily = typeof VoiceFamily.Type

export interface SpeechRequest {
  readonly text: string
  readonly family: VoiceFamily
  readonly voiceId: string
  /** The locked model name, e.g. `bulbul:v2`, `aura-2-thalia-en`, `eleven_flash_v2_5`. */
  readonly model: string
  /** BCP 47. */
  readonly language: string
}

/**
 * Port of text-to-speech. One request is one clause and gives one stream of mu-law bytes at 8 kHz (chunks of any size, no header). The stream ends
 * after the last byte of the clause, so the caller knows which audio belongs to which words. Interrupting it cancels the synthesis.
 */
export class TextToSpeech extends Context.Service<
  TextToSpeech,
  {
    readonly synthesize: (request: SpeechRequest) => Stream.Stream<Uint8Array, SpeechError>
    /** Fails with `rejected` when the chosen provider does not support a field (voice, language, model). Does not use the network. */
    readonly validate: (request: Omit<SpeechRequest, "text">) => Effect.Effect<void, SpeechError>
  }
>()("parley/domain/TextToSpeech") {}
