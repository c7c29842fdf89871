/**
 * Ports to the speech providers. Audio inside Parley is 8 kHz mono: `Int16Array` samples towards speech-to-text,
 * mu-law bytes from text-to-speech (what the telephone line carries).
 */
import { Context, type Effect, Schema, type Scope, type Stream } from "effect"

/** Why a speech provider could not do its work. `rejected` means: do not retry, the request itself is wrong. */
export class SpeechError extends Schema.TaggedError<SpeechError>()("SpeechError", {
  provider: Schema.String,
  reason: Schema.Literals(["unavailable", "timeout", "rejected", "protocol"]),
  message: Schema.String
}) {}

/**
 * What the recogniser heard: words when the caller pauses, none before. `Unanswered`: a flush that the provider says
 * nothing to, be it that it heard no speech, be it that it does not listen.
 */
export type Transcript =
  | { readonly _tag: "Unanswered" }
  | {
      readonly _tag: "Final"
      readonly text: string
      readonly language: string | undefined
      /** How many flushes, the oldest ones, this answers: one unless it is said. None when the provider heard the end of speech by itself. */
      readonly answers?: number
    }

/** What a lost stream may have to be told again: a stream takes so much speech at once, and drops none of it. Milliseconds. */
export const longestBurstMs = 15_000

/** One open recognition stream; belongs to the scope it was opened in. */
export interface Transcription {
  /**
   * Sends samples (8 kHz, any length), up to `longestBurstMs` of them at once. Synchronous: called from the frame path; `samples` may be
   * reused afterwards.
   */
  readonly push: (samples: Int16Array) => void
  /** Asks for the transcript of everything pushed so far (the VAD says that speech ended). It comes, or `Unanswered` does, or the stream fails. */
  readonly flush: () => void
  /** Ends with SpeechError when the connection is lost; never ends otherwise. One reader. */
  readonly transcripts: Stream.Stream<Transcript, SpeechError>
}

export interface TranscriptionOptions {
  /** Locked model name, e.g. `saarika:v2.5`; the adapter maps it to the live one. */
  readonly model: string
  /** BCP 47, e.g. `hi-IN`. */
  readonly language: string
}

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
  /** Locked model name, e.g. `bulbul:v2`, `aura-2-thalia-en`, `eleven_flash_v2_5`. */
  readonly model: string
  /** BCP 47. */
  readonly language: string
}

/**
 * One request = one clause = one stream of mu-law 8 kHz bytes (chunks of any size, headerless). The stream ends after the last
 * byte of that clause, so the caller knows which audio belongs to which words. Interrupting it cancels the synthesis.
 */
export class TextToSpeech extends Context.Service<
  TextToSpeech,
  {
    readonly synthesize: (request: SpeechRequest) => Stream.Stream<Uint8Array, SpeechError>
    /** Fails with `rejected` when the chosen provider does not support a field (voice, language, model). No network. */
    readonly validate: (request: Omit<SpeechRequest, "text">) => Effect.Effect<void, SpeechError>
  }
>()("parley/domain/TextToSpeech") {}
