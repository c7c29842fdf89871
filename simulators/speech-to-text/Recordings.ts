/** Sarvam's `POST /speech-to-text`: a recording of at most 30 s as a form, and its words as the answer. Only WAV is simulated. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { decodeWav } from "../../src/domain/basics/Wav.ts"
import { readBytes, sendJson } from "../support/Loopback.ts"
import { readMultipart } from "../support/Multipart.ts"
import type { Bank } from "./Bank.ts"
import { recogniseCompressed } from "./Compressed.ts"
import { languageError, modelError } from "./Protocol.ts"
import type { SpeechToTextStats } from "./Stats.ts"

const longestSeconds = 30

/** A refusal: the status, the sentence, and the code of the error. */
type Refused = readonly [status: number, message: string, code: string]

const invalid = (message: string): Refused => [400, message, "invalid_request_error"]

const samplesOf = (wav: Buffer): Int16Array | string => {
  if (wav.length === 0) return "Failed to read the file, please check the audio format."
  try {
    const { channels, sampleRate } = decodeWav(wav)
    if (channels.length !== 1 || (sampleRate !== 8_000 && sampleRate !== 16_000))
      return "Only mono at 8 or 16 kHz is simulated."
    if (channels[0].length > longestSeconds * sampleRate)
      return `Audio duration exceeds the maximum limit of ${longestSeconds} seconds.`
    if (sampleRate === 8_000) return channels[0]
    const [fine] = channels
    return Int16Array.from({ length: fine.length >> 1 }, (_, at) => {
      const here = 2 * at
      return Math.round(((fine[here - 1] ?? 0) + 2 * fine[here] + (fine[here + 1] ?? 0)) / 4)
    })
  } catch {
    return "Failed to read the file, please check the audio format."
  }
}

/** The samples of the form and its language, or why it is refused. */
const formOf = (contentType: string, body: Buffer) => {
  const parts = readMultipart(contentType, body)
  if (parts === undefined) return { refused: invalid("body : multipart/form-data required") }
  const field = (name: string) => parts.find((part) => part.name === name)?.bytes.toString("utf8")
  const file = parts.find(({ name, filename }) => name === "file" && filename !== undefined)
  if (file === undefined) return { refused: [422, "body.file : Field required", "unprocessable_entity_error"] as const }
  const wrong = modelError(field("model")) ?? languageError(field("language_code") ?? "unknown")
  if (wrong !== undefined) return { refused: invalid(wrong) }
  const samples = samplesOf(file.bytes)
  return typeof samples === "string" ? { refused: invalid(samples) } : { samples, language: field("language_code") }
}

/** Answers one request, whose key was checked. */
export const transcribeRecording = async (
  request: IncomingMessage,
  response: ServerResponse,
  bank: Bank,
  stats: SpeechToTextStats
): Promise<void> => {
  const form = formOf(request.headers["content-type"] ?? "", await readBytes(request))
  if ("refused" in form) {
    const [status, message, code] = form.refused
    stats.refused++
    return sendJson(response, status, { error: { message, code, request_id: "20260101_simulated" } })
  }
  const transcript = recogniseCompressed(bank, form.samples)
  stats.recordings++
  stats.transcripts.push(transcript)
  const language = form.language === undefined || form.language === "unknown" ? "en-IN" : form.language
  sendJson(response, 200, {
    request_id: `20260101_r${stats.recordings}`,
    transcript,
    language_code: language,
    language_probability: form.language === language ? null : 1
  })
}
