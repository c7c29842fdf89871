/** The `TextToSpeech` service: each voice family has its provider. */
import { Effect, Layer, Stream } from "effect"
import { TextToSpeech, type VoiceFamily } from "../../domain/Speech.ts"
import { makeDeepgram } from "./Deepgram.ts"
import { makeElevenLabs } from "./ElevenLabs.ts"
import { makeSarvam } from "./Sarvam.ts"
import { makeSpeechHttp, type SpeechTimeouts } from "./SpeechHttp.ts"
import type { SpeechProvider, SpeechProviderOptions } from "./SpeechProvider.ts"

export interface TextToSpeechOptions extends SpeechTimeouts {
  readonly indic: SpeechProviderOptions
  readonly english: SpeechProviderOptions
  readonly premium: SpeechProviderOptions
}

/** A family without a key stays usable for `validate`; `synthesize` then fails with `rejected` and says that the key is missing. */
export const layer = (options: TextToSpeechOptions): Layer.Layer<TextToSpeech> =>
  Layer.effect(
    TextToSpeech,
    Effect.map(makeSpeechHttp(options), (http) => {
      const providers: Record<VoiceFamily, SpeechProvider> = {
        indic: makeSarvam(options.indic, http),
        english: makeDeepgram(options.english, http),
        premium: makeElevenLabs(options.premium, http)
      }
      return {
        // Providers refuse empty text; silence is what it sounds like.
        synthesize: (request) =>
          request.text.trim() === "" ? Stream.empty : providers[request.family].synthesize(request),
        validate: (request) => providers[request.family].validate(request)
      }
    })
  )
