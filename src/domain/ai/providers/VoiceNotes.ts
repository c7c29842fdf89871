/** Ports that make text of a recorded voice message: one reads the file, the other asks the recogniser of speech. */
import { Context, type Effect, Schema } from "effect"
import type { SpeechError } from "./Speech.ts"

/** The file is not transcribed; `message` is a sentence for people. */
export class UnreadableVoiceNote extends Schema.TaggedError<UnreadableVoiceNote>()("UnreadableVoiceNote", {
  message: Schema.String
}) {}

export class VoiceNoteReader extends Context.Service<
  VoiceNoteReader,
  {
    /** The samples of a file, mono, at `recordedRate`; at most `longestVoiceNoteSeconds`. */
    readonly read: (bytes: Uint8Array) => Effect.Effect<Int16Array, UnreadableVoiceNote>
  }
>()("parley/domain/VoiceNoteReader") {}

export class RecordedSpeech extends Context.Service<
  RecordedSpeech,
  {
    /** The words in at most `longestPiece` samples at `recordedRate`, in whatever language they are; "" when nothing is said. */
    readonly transcribe: (samples: Int16Array) => Effect.Effect<string, SpeechError>
    /** The model as usage is reported by it. */
    readonly model: string
  }
>()("parley/domain/RecordedSpeech") {}
