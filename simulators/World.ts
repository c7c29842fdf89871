/** Starts all simulated providers on loopback. A service without provider keys talks to them. */
import * as CloudApi from "./channel/CloudApi.ts"
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
  /** Options of single simulators, such as their pace. */
  readonly languageModel?: Omit<LanguageModel.LanguageModelOptions, "apiKey" | "script" | "defaultReply">
  readonly speechToText?: Omit<SpeechToText.SpeechToTextOptions, "apiKey" | "bank">
  readonly textToSpeech?: Omit<TextToSpeech.TextToSpeechOptions, "apiKey">
  readonly channel?: CloudApi.CloudApiOptions
}

/** Every simulator accepts this key. */
export const simulatorKey = "simulator-key"

/** The number at the messaging channel that can be connected. */
export const simulatorNumber = {
  phoneNumberId: "106540352242922",
  accountId: "102290129340398",
  accessToken: simulatorKey,
  appSecret: simulatorKey
}

export const start = async (options: WorldOptions = {}) => {
  const { script, defaultReply, flagWords } = options
  const languageModel = await LanguageModel.start({
    ...options.languageModel,
    apiKey: simulatorKey,
    ...(script === undefined ? {} : { script }),
    ...(defaultReply === undefined ? {} : { defaultReply })
  })
  const moderation = await Moderation.start({
    apiKey: simulatorKey,
    ...(flagWords === undefined ? {} : { flagWords })
  })
  const speechToText = await SpeechToText.start({
    ...options.speechToText,
    apiKey: simulatorKey,
    bank: options.bank ?? []
  })
  const textToSpeech = await TextToSpeech.start({ ...options.textToSpeech, apiKey: simulatorKey })
  const channel = await CloudApi.start(options.channel)
  channel.accounts.addNumber(simulatorNumber)
  const all = [languageModel, moderation, speechToText, textToSpeech, channel]
  return {
    languageModel,
    moderation,
    speechToText,
    textToSpeech,
    channel,
    close: async () => {
      await Promise.all(all.map((simulator) => simulator.close()))
    }
  }
}
export type World = Awaited<ReturnType<typeof start>>
