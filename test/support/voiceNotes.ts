/** What makes text of voice messages, with the simulated provider of speech-to-text. */
import { Layer, Redacted } from "effect"
import * as SarvamRecordedSpeech from "../../src/integrations/stt/SarvamRecordedSpeech.ts"
import * as VoiceNoteReaderThread from "../../src/integrations/voice-notes/VoiceNoteReaderThread.ts"

/** At this address; without one there is no key, and no voice message is transcribed. */
export const voiceNotesAt = (url: string | undefined) =>
  Layer.merge(
    VoiceNoteReaderThread.layer(),
    SarvamRecordedSpeech.layer({
      baseUrl: url ?? "http://127.0.0.1:1",
      key: url === undefined ? undefined : Redacted.make("key"),
      model: "saarika:v2.5"
    })
  )
