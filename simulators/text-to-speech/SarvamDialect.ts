/** Sarvam `POST /text-to-speech/stream`. */
import { type Dialect, header, type Refusal } from "./Dialects.ts"

const languages = "bn en gu hi kn ml mr od pa ta te".split(" ").map((it) => `${it}-IN`)
const speakers: Record<string, ReadonlyArray<string>> = {
  "bulbul:v2": "anushka manisha vidya arya abhilash karun hitesh".split(" "),
  "bulbul:v3":
    "shubh aditya ritu priya neha rahul pooja rohan simran kavya amit dev ishita shreya ratan varun manan sumit roopa kabir aayan ashutosh advait anand tanya tarun sunny mani gokul vijay shruti suhani mohit kavitha rehan soham rupali".split(
      " "
    )
}
const longest: Record<string, number> = { "bulbul:v2": 1_500, "bulbul:v3": 2_500 }

const refusal = (status: number, message: string, code = "invalid_request_error"): Refusal => ({
  status,
  body: { error: { message, code, request_id: "20260101_simulated" } }
})

/** `deprecated`, asked at each request, says whether the older model is switched off, as at the live provider since September 2026. */
export const sarvamDialect = (deprecated: () => boolean): Dialect => ({
  provider: "sarvam",
  matches: (path) => path === "/text-to-speech/stream",
  key: (request) => header(request, "api-subscription-key"),
  badKey: refusal(403, "Invalid or missing API key", "invalid_api_key_error"),
  failure: (status) => refusal(status, "Planned failure", "internal_server_error").body,
  read: (_url, body) => {
    const { text, speaker, model = "bulbul:v2", speech_sample_rate: rate, output_audio_codec: codec } = body
    const language = body.target_language_code ?? body.language_code
    if (typeof text !== "string") return refusal(400, "text: Field required")
    if (text.trim() === "") return refusal(400, "'text' cannot be empty")
    if (typeof language !== "string" || !languages.includes(language)) {
      return refusal(400, `target_language_code: Input should be one of ${languages.join(", ")}`)
    }
    if (typeof model !== "string" || !Object.hasOwn(speakers, model)) return refusal(400, `Model '${model}' not found`)
    if (model === "bulbul:v2" && deprecated()) {
      return refusal(400, "Model 'bulbul:v2' has been deprecated. Please use 'bulbul:v3' instead.")
    }
    if (text.length > longest[model]) {
      return refusal(400, `text: String should have at most ${longest[model]} characters`)
    }
    const voice = typeof speaker === "string" ? speaker : speakers[model][0]
    if (!speakers[model].includes(voice)) {
      const compatible = speakers[model].join(", ")
      return refusal(400, `Speaker '${voice}' is not compatible with model ${model}. Available speakers: ${compatible}`)
    }
    if (codec !== "mulaw" || Number(rate) !== 8_000) return refusal(400, "The simulator makes mulaw at 8000 only")
    return { text, language, voice, contentType: "audio/mulaw" }
  }
})
