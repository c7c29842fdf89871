/** Indic family: Sarvam `bulbul`. Every voice speaks every language. */

import { Effect, Stream } from "effect"
import { isEarlierVoice } from "../../domain/ai/providers/EarlierVoices.ts"
import type { SpeechRequest } from "../../domain/ai/providers/Speech.ts"
import { endpoint } from "../web/BaseUrl.ts"
import type { SpeechHttp } from "./SpeechHttp.ts"
import { check, keyOf, type SpeechProvider, type SpeechProviderOptions, voiceComplaint } from "./SpeechProvider.ts"

const provider = "sarvam"
const models: ReadonlyArray<string> = ["bulbul:v2"]

/** The provider has only Indian English. */
const languageCode = (language: string) => (/^en(-|$)/.test(language) ? "en-IN" : language)

const complaint = ({ model, voiceId, language }: Omit<SpeechRequest, "text">) => {
  if (isEarlierVoice("indic", model, voiceId)) return undefined
  return models.includes(model)
    ? voiceComplaint("indic", voiceId, languageCode(language))
    : `The Indic voice provider has no model "${model}"`
}

export const makeSarvamVoices = (options: SpeechProviderOptions, http: SpeechHttp): SpeechProvider => ({
  validate: (request) => check(provider, complaint(request)),
  synthesize: (request) =>
    Stream.unwrap(
      Effect.map(keyOf(provider, options), (key) =>
        http.stream({
          url: endpoint(options.baseUrl, "/text-to-speech/stream"),
          headers: { "api-subscription-key": key },
          body: {
            text: request.text,
            target_language_code: languageCode(request.language),
            speaker: options.voices?.[request.voiceId] ?? request.voiceId,
            model: options.models?.[request.model] ?? request.model,
            speech_sample_rate: 8000,
            output_audio_codec: "mulaw"
          }
        })
      )
    )
})
