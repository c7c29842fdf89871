/** Decodes an Ogg Opus file to mono samples. It takes some 100 ms for a minute of speech, so it runs in a thread of its own. */
import { OpusDecoder } from "opus-decoder"
import { longestVoiceNoteSeconds, recordedRate } from "../../domain/ai/providers/VoiceNoteLimits.ts"
import { NoOggOpus, readOggOpus } from "./OggOpus.ts"

/** The file is not transcribed; the message is a sentence for people. */
export class NotTranscribed extends Error {}

const unknownForm =
  "The voice message is in a form that is not transcribed. Only Ogg Opus is, the form of voice messages that telephones record."
const tooLong = `The voice message is longer than ${longestVoiceNoteSeconds / 60} minutes and was not transcribed.`
const damaged = "The voice message is damaged and cannot be transcribed."

const most = longestVoiceNoteSeconds * recordedRate

const parsed = (bytes: Uint8Array) => {
  try {
    return readOggOpus(bytes)
  } catch (cause) {
    if (cause instanceof NoOggOpus) throw new NotTranscribed(unknownForm)
    throw cause
  }
}

/** Throws `NotTranscribed`. Whatever the file says of itself, no more is decoded than may be transcribed. */
export const opusSamples = async (bytes: Uint8Array): Promise<Int16Array> => {
  const { channels, preSkip, gain, packets } = parsed(bytes)
  const decoder = new OpusDecoder({ channels, sampleRate: recordedRate, preSkip: 0 })
  await decoder.ready
  const pieces: Array<Int16Array> = []
  let [length, failed] = [0, 0]
  for (const packet of packets) {
    const { channelData, samplesDecoded, errors } = decoder.decodeFrame(packet)
    failed += errors.length
    length += samplesDecoded
    if (length > most) throw new NotTranscribed(tooLong)
    const loudness = (gain * 32_767) / channels
    pieces.push(
      Int16Array.from({ length: samplesDecoded }, (_, at) => {
        let sum = 0
        for (const channel of channelData) sum += channel[at]
        return Math.max(-32_768, Math.min(32_767, Math.round(sum * loudness)))
      })
    )
  }
  // A packet that is lost here and there leaves the rest intelligible.
  if (length === 0 || failed > packets.length / 4) throw new NotTranscribed(damaged)
  const samples = new Int16Array(length)
  let at = 0
  for (const piece of pieces) {
    samples.set(piece, at)
    at += piece.length
  }
  return samples.subarray(Math.min(length, Math.round((preSkip * recordedRate) / 48_000)))
}
