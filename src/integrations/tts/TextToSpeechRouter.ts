/** The `TextToSpeech` service. Each voice family has its own provider; trouble with one does not affect the others. */
import { Effect, Layer, Stream } from "effect"
import { TextToSpeech, type VoiceFamily } from "../../domain/ai/providers/Speech.ts"
import * as Connections from "../connections/Connections.ts"
import { makeDeepgram } from "./Deepgram.ts"
import { makeElevenLabs } from "./ElevenLabs.ts"
import { makeSarvamVoices } from "./SarvamVoices.ts"
import { makeSpeechHttp, type SpeechHttpOptions } from "./SpeechHttp.ts"
import type { SpeechProvider, SpeechProviderOptions } from "./SpeechProvider.ts"

export interface TextToSpeechOptions extends SpeechHttpOptions {
  readonly indic: SpeechProviderOptions
  readonly english: SpeechProviderOptions
  readonly premium: SpeechProviderOptions
}

const make = Effect.fnUntraced(function* (options: TextToSpeechOptions) {
  const connections = yield* Connections.Connections
  const providers: Record<VoiceFamily, SpeechProvider> = {
    indic: makeSarvamVoices(options.indic, yield* makeSpeechHttp("sarvam", connections, options)),
    english: makeDeepgram(options.english, yield* makeSpeechHttp("deepgram", connections, options)),
    premium: makeElevenLabs(options.premium, yield* makeSpeechHttp("elevenlabs", connections, options))
  }
  return TextToSpeech.of({
    // There is nothing to say in it: providers refuse such text, or answer without audio.
    synthesize: (request) =>
      /[\p{L}\p{N}]/u.test(request.text) ? providers[request.family].synthesize(request) : Stream.empty,
    validate: (request) => providers[request.family].validate(request)
  })
})

/** A family without a key stays usable for `validate`; `synthesize` then fails with `rejected` and says that the key is missing. */
export const layer = (options: TextToSpeechOptions): Layer.Layer<TextToSpeech> =>
  Layer.effect(TextToSpeech, make(options)).pipe(Layer.provide(Connections.layer))
