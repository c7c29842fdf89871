/** ElevenLabs `POST /v1/text-to-speech/{voice_id}/stream`. */
import { findVoice } from "../../src/domain/voice/agents/Voices.ts"
import { type Dialect, header, languageOfScript, type Refusal } from "./Dialects.ts"

const limits: Record<string, number> = {
  eleven_flash_v2_5: 40_000,
  eleven_turbo_v2_5: 40_000,
  eleven_multilingual_v2: 10_000
}
const languages: Record<string, string> = { en: "en-US", hi: "hi-IN", ta: "ta-IN" }

const refusal = (status: number, code: string, message: string): Refusal => ({
  status,
  body: { detail: { status: code, message } }
})

const missing = (field: string): Refusal => ({
  status: 422,
  body: { detail: [{ loc: ["body", field], msg: "Field required", type: "missing" }] }
})

export const elevenLabsDialect: Dialect = {
  provider: "elevenlabs",
  matches: (path) => /^\/v1\/text-to-speech\/[^/]+\/stream$/.test(path),
  key: (request) => header(request, "xi-api-key"),
  badKey: refusal(401, "invalid_api_key", "Invalid API key"),
  failure: (status) => refusal(status, status === 429 ? "system_busy" : "internal_error", "Planned failure").body,
  read: (url, body) => {
    const voice = decodeURIComponent(url.pathname.split("/")[3])
    const { text, model_id: model = "eleven_multilingual_v2", language_code: code } = body
    if (!findVoice("premium", voice)) {
      return refusal(404, "voice_not_found", `A voice with voice_id ${voice} was not found.`)
    }
    if (typeof text !== "string") return missing("text")
    if (text.trim() === "") return refusal(400, "input_text_empty", "Text must not be empty.")
    if (typeof model !== "string" || !Object.hasOwn(limits, model)) {
      return refusal(400, "model_not_found", `A model with model ID ${model} does not exist.`)
    }
    if (code !== undefined && model === "eleven_multilingual_v2") {
      return refusal(400, "unsupported_language", "Model 'eleven_multilingual_v2' does not support language codes.")
    }
    if (text.length > limits[model]) {
      return refusal(400, "max_character_limit_exceeded", `The text exceeds ${limits[model]} characters.`)
    }
    if (url.searchParams.get("output_format") !== "ulaw_8000") {
      return refusal(400, "invalid_output_format", "The simulator makes ulaw_8000 only")
    }
    const language = (typeof code === "string" ? languages[code] : undefined) ?? languageOfScript(text)
    return { text, language, voice, contentType: "audio/basic" }
  }
}
