/** Development without provider keys: the service talks to simulators on loopback that speak the providers' own protocols. */
import { Effect, Option, Redacted } from "effect"
import * as Embeddings from "../../../simulators/embeddings/Embeddings.ts"
import * as TelephoneNetwork from "../../../simulators/telephone/TelephoneNetwork.ts"
import { simulatorKey, simulatorNumber, start, type World } from "../../../simulators/World.ts"
import type { Settings } from "../../config/Environment.ts"
import { webhookPath } from "../../http/groups/messaging/messagingWebhooks.ts"
import { telephonyPath } from "../../http/groups/voice/telephony.ts"
import { publicBaseUrl } from "../../wiring/Addresses.ts"

export { simulatorNumber }

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

/** How soon a simulated message is sent, delivered and read, each after the one before, and how soon its recipient answers. Milliseconds. */
const statusEveryMs = 300
const answersAfterMs = 2_000

/** From now on whoever gets a message over the simulated channel answers it. */
export const answering = Effect.fnUntraced(function* ({ sent, write }: World["channel"]) {
  for (let answered = sent.length; ; ) {
    yield* Effect.sleep(answersAfterMs)
    for (; answered < sent.length; answered++) {
      const { phoneNumberId, to } = sent[answered]
      write(phoneNumberId, { waId: to }, { type: "text", text: { body: "Thank you!" } })
    }
  }
})

/** Vectors of knowledge from a simulator for the life of the scope, unless the settings name a model of their own. */
const withVectors = Effect.fnUntraced(function* (settings: Settings) {
  const { embeddings } = settings
  if (Option.isSome(embeddings.model)) return settings
  const { url } = yield* Effect.acquireRelease(
    Effect.promise(() => Embeddings.start({ apiKey: simulatorKey })),
    (started) => Effect.promise(() => started.close())
  )
  return {
    ...settings,
    embeddings: {
      ...embeddings,
      baseUrl: url,
      key: Option.some(Redacted.make(simulatorKey)),
      model: Option.some(Embeddings.simulatedModel),
      dimensions: Option.orElse(embeddings.dimensions, () => Option.some(512))
    }
  }
})

/**
 * Starts the simulators for the life of the scope. Returns the settings that point at them. The messaging channel is a sandbox: what the organization of
 * `parley admin sandbox` sends is delivered, read and answered. Webhooks and tools may reach this machine.
 */
export const simulated = Effect.fnUntraced(function* (settings: Settings) {
  const world = yield* Effect.acquireRelease(
    Effect.promise(() => start({ channel: { statuses: ["sent", "delivered", "read"], statusEveryMs } })),
    (started) => Effect.promise(() => started.close())
  )
  const { appSecret } = simulatorNumber
  world.channel.webhooks.trust(appSecret, {
    url: `${publicBaseUrl(settings)}${webhookPath}`,
    verifyToken: simulatorKey
  })
  // The account is connected without the channel being asked: `parley admin sandbox` is another process.
  world.channel.accounts.subscribed.add(simulatorNumber.accountId)
  yield* Effect.forkScoped(answering(world.channel))
  return { ...(yield* withVectors(pointAt(settings, world))), allowPrivateTools: true }
})

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
