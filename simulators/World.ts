/** The providers of the outside world on loopback, all at once: what a service without provider keys talks to. */
import * as LanguageModel from "./language-model/LanguageModel.ts"
import type { Script } from "./language-model/Script.ts"
import * as Moderation from "./moderation/Moderation.ts"
import * as SpeechToText from "./speech-to-text/SpeechToText.ts"
import * as TextToSpeech from "./text-to-speech/TextToSpeech.ts"
import type { Spoken } from "./voice/Voice.ts"

export interface WorldOptions {
  /** What the speech-to-text simulator can recognise. */
  readonly bank?: ReadonlyArray<Spoken>
  readonly script?: Script
  readonly defaultReply?: string
  readonly flagWords?: ReadonlyArray<string>
}

/** Every simulator accepts this key. */
export const simulatorKey = "simulator-key"

export const start = async (options: WorldOptions = {}) => {
  const { script, defaultReply, flagWords } = options
  const languageModel = await LanguageModel.start({
    apiKey: simulatorKey,
    ...(script === undefined ? {} : { script }),
    ...(defaultReply === undefined ? {} : { defaultReply })
  })
  const moderation = await Moderation.start({
    apiKey: simulatorKey,
    ...(flagWords === undefined ? {} : { flagWords })
  })
  const speechToText = await SpeechToText.start({ apiKey: simulatorKey, bank: options.bank ?? [] })
  const textToSpeech = await TextToSpeech.start({ apiKey: simulatorKey })
  const all = [languageModel, moderation, speechToText, textToSpeech]
  return {
    languageModel,
    moderation,
    speechToText,
    textToSpeech,
    close: async () => {
      await Promise.all(all.map((simulator) => simulator.close()))
    }
  }
}
export type World = Awaited<ReturnType<typeof start>>
