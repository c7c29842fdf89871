/** Development without provider keys: the service talks to simulators on loopback that speak the providers' own protocols. */
import { Effect, Option, Redacted } from "effect"
import * as TelephoneNetwork from "../../../simulators/telephone/TelephoneNetwork.ts"
import { simulatorKey, start, type World } from "../../../simulators/World.ts"
import type { Settings } from "../../config/Environment.ts"
import { telephonyPath } from "../../http/groups/voice/telephony.ts"

/** The given settings with every provider simulated. */
const pointAt = (settings: Settings, world: World): Settings => {
  const simulated = (baseUrl: string) => ({ baseUrl, key: Option.some(Redacted.make(simulatorKey)) })
  return {
    ...settings,
    sarvam: simulated(world.textToSpeech.url),
    speechToTextBaseUrl: Option.some(world.speechToText.url),
    deepgram: simulated(world.textToSpeech.url),
    elevenLabs: simulated(world.textToSpeech.url),
    reasoning: simulated(world.languageModel.url),
    moderation: simulated(world.moderation.url),
    messaging: {
      ...settings.messaging,
      baseUrl: Option.orElse(settings.messaging.baseUrl, () => Option.some(world.channel.url))
    }
  }
}

/** The settings of a service on loopback with simulated providers, and a simulated telephone network that listens on `telephonePort`. */
export const onLoopback = (settings: Settings, world: World, port: number, telephonePort: number): Settings => ({
  ...pointAt(settings, world),
  port,
  publicBaseUrl: Option.some(`http://127.0.0.1:${port}`),
  streamUrl: Option.some(`wss://127.0.0.1:${port}/media`),
  allowPrivateTools: true,
  twilioBaseUrl: `http://127.0.0.1:${telephonePort}`
})

/** Starts the simulators for the life of the scope. Returns the settings that point at them. */
export const simulated = (settings: Settings) =>
  Effect.acquireRelease(
    Effect.promise(() => start()),
    (world) => Effect.promise(() => world.close())
  ).pipe(Effect.map((world) => pointAt(settings, world)))

/** The telephone network of one account around a service at `baseUrl`, listening on `port`, for the life of the scope. */
export const telephoneNetwork = (
  baseUrl: string,
  { accountSid, authToken }: { readonly accountSid: string; readonly authToken: string },
  port: number
) =>
  Effect.acquireRelease(
    Effect.promise(() =>
      TelephoneNetwork.start({
        accountSid,
        authToken,
        webhookUrl: `${baseUrl}${telephonyPath}/voice`,
        dial: (url) => url.replace(/^wss:/, "ws:"),
        port
      })
    ),
    (network) => Effect.promise(() => network.close())
  )
