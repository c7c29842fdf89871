/** Premium family: ElevenLabs, multilingual. Voice ids are the provider's own. */

import { Effect, Stream } from "effect"
import type { SpeechRequest } from "../../domain/ai/providers/Speech.ts"
import { endpoint } from "../web/BaseUrl.ts"
import type { SpeechHttp } from "./SpeechHttp.ts"
import { check, keyOf, type SpeechProvider, type SpeechProviderOptions, voiceComplaint } from "./SpeechProvider.ts"

const provider = "elevenlabs"
const models: ReadonlyArray<string> = ["eleven_flash_v2_5", "eleven_turbo_v2_5", "eleven_multilingual_v2"]

const primary = (language: string) => language.split("-")[0]

const complaint = ({ model, voiceId, language }: Omit<SpeechRequest, "text">) =>
  models.includes(model)
    ? voiceComplaint("premium", voiceId, language)
    : `The premium voice provider has no model "${model}"`

export const makeElevenLabs = (options: SpeechProviderOptions, http: SpeechHttp): SpeechProvider => ({
  validate: (request) => check(provider, complaint(request)),
  synthesize: (request) =>
    Stream.unwrap(
      Effect.map(keyOf(provider, options), (key) => {
        const voice = encodeURIComponent(options.voices?.[request.voiceId] ?? request.voiceId)
        const model = options.models?.[request.model] ?? request.model
        // The older multilingual model refuses a language code; it detects the language.
        const language = model === "eleven_multilingual_v2" ? {} : { language_code: primary(request.language) }
        return http.stream({
          url: endpoint(options.baseUrl, `/v1/text-to-speech/${voice}/stream?output_format=ulaw_8000`),
          headers: { "xi-api-key": key },
          body: { text: request.text, model_id: model, ...language }
        })
      })
    )
})
