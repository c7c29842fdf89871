/** English family: Deepgram Aura-2. One name stands for the voice and the model: `aura-2-<voice>-en`. */

import { Effect, Stream } from "effect"
import { isEarlierVoice } from "../../domain/ai/providers/EarlierVoices.ts"
import type { SpeechRequest } from "../../domain/ai/providers/Speech.ts"
import { endpoint } from "../web/BaseUrl.ts"
import type { SpeechHttp } from "./SpeechHttp.ts"
import { check, keyOf, type SpeechProvider, type SpeechProviderOptions, voiceComplaint } from "./SpeechProvider.ts"

const provider = "deepgram"

const complaint = ({ model, voiceId, language }: Omit<SpeechRequest, "text">) => {
  if (isEarlierVoice("english", model, voiceId)) return undefined
  const found = voiceComplaint("english", voiceId, language)
  if (found !== undefined || model === voiceId || model === "aura-2") return found
  return `The model "${model}" does not belong to the voice "${voiceId}"`
}

export const makeDeepgram = (options: SpeechProviderOptions, http: SpeechHttp): SpeechProvider => ({
  validate: (request) => check(provider, complaint(request)),
  synthesize: (request) =>
    Stream.unwrap(
      Effect.map(keyOf(provider, options), (key) => {
        const voice = options.voices?.[request.voiceId] ?? request.voiceId
        const model = encodeURIComponent(options.models?.[voice] ?? voice)
        return http.stream({
          url: endpoint(options.baseUrl, `/v1/speak?model=${model}&encoding=mulaw&container=none&sample_rate=8000`),
          headers: { authorization: `Token ${key}` },
          body: { text: request.text }
        })
      })
    )
})
