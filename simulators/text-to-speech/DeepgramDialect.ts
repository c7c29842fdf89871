/** Deepgram `POST /v1/speak`. */
import { findVoice } from "../../src/domain/voice/agents/Voices.ts"
import { type Dialect, header, type Refusal } from "./Dialects.ts"

const refusal = (status: number, code: string, message: string): Refusal => ({
  status,
  body: { err_code: code, err_msg: message, request_id: "00000000-0000-4000-8000-000000000000" }
})

const accents: Record<string, string> = { British: "en-GB", Australian: "en-AU" }

export const deepgramDialect: Dialect = {
  provider: "deepgram",
  matches: (path) => path === "/v1/speak",
  key: (request) => /^(?:Token|Bearer) (.+)$/.exec(header(request, "authorization") ?? "")?.[1],
  badKey: refusal(401, "INVALID_AUTH", "Invalid credentials."),
  failure: (status) => refusal(status, "INTERNAL_SERVER_ERROR", "Planned failure").body,
  read: ({ searchParams: query }, body) => {
    const model = query.get("model") ?? "aura-asteria-en"
    const voice = findVoice("english", model)
    if (!voice) return refusal(400, "INVALID_QUERY_PARAMETER", `No such model/version combination found: ${model}`)
    if (query.get("encoding") !== "mulaw" || query.get("sample_rate") !== "8000") {
      return refusal(400, "UNSUPPORTED_AUDIO_FORMAT", "The simulator makes mulaw at 8000 only")
    }
    if (query.get("container") !== "none") {
      return refusal(400, "UNSUPPORTED_AUDIO_FORMAT", "The simulator makes headerless audio only (container=none)")
    }
    const { text } = body
    if (typeof text !== "string" || text.trim() === "") {
      return refusal(400, "PAYLOAD_ERROR", "Failed to deserialize JSON payload: text is missing or empty")
    }
    if (text.length > 2_000)
      return refusal(413, "PAYLOAD_TOO_LARGE", "Input text exceeds maximum character limit of 2000.")
    return { text, language: accents[voice.accent ?? ""] ?? "en-US", voice: model, contentType: "audio/mulaw" }
  }
}
