/** The layers of calls: the providers, and the engine that uses them. */

import { Effect, Layer, Option, Redacted } from "effect"
import * as ActorSystem from "../actors/voice/engine/ActorSystem.ts"
import { heldCalls } from "../actors/voice/engine/HeldCalls.ts"
import { monotonicMs } from "../actors/voice/sound/Monotonic.ts"
import type { Settings } from "../config/Environment.ts"
import { speechToText } from "../domain/voice/agents/AgentConfigs.ts"
import type { AppCallbacks, Engine, EngineClient } from "../domain/voice/engine/EnginePorts.ts"
import type { OwnApp } from "../domain/voice/engine/OwnApp.ts"
import * as WarmUp from "../integrations/connections/WarmUp.ts"
import * as FileCallJournal from "../integrations/engine/FileCallJournal.ts"
import * as HttpAppCallbacks from "../integrations/engine/HttpAppCallbacks.ts"
import * as HttpEngineClient from "../integrations/engine/HttpEngineClient.ts"
import * as LocalAppCallbacks from "../integrations/engine/LocalAppCallbacks.ts"
import * as LocalEngineClient from "../integrations/engine/LocalEngineClient.ts"
import * as SpooledRecordings from "../integrations/recordings/SpooledRecordings.ts"
import * as Redis from "../integrations/redis/Redis.ts"
import * as SpeechCacheRedis from "../integrations/redis/SpeechCacheRedis.ts"
import * as SpeechCacheFiles from "../integrations/storage/cache/SpeechCacheFiles.ts"
import * as FolderOwner from "../integrations/storage/FolderOwner.ts"
import * as SarvamRecordedSpeech from "../integrations/stt/SarvamRecordedSpeech.ts"
import * as SarvamSpeechToText from "../integrations/stt/SarvamSpeechToText.ts"
import * as TwilioLiveCalls from "../integrations/telephony/TwilioLiveCalls.ts"
import * as TextToSpeechRouter from "../integrations/tts/TextToSpeechRouter.ts"
import * as VoiceNoteReaderThread from "../integrations/voice-notes/VoiceNoteReaderThread.ts"
import { local, streamUrl } from "./Addresses.ts"
import { callLeases, reservationBoard } from "./Coordination.ts"
import { languageModel, moderation } from "./Models.ts"
import { soundAddresses } from "./SoundAddresses.ts"
import { ownFolder } from "./Storage.ts"

const speechCache = (settings: Settings) =>
  Option.match(settings.redisUrl, {
    onSome: (url) => SpeechCacheRedis.layer.pipe(Layer.provide(Redis.layer({ url }))),
    onNone: () => SpeechCacheFiles.layer({ dataDir: settings.dataDir })
  })

/** Speech-to-text and text-to-speech: for the calls of an engine, and for the voicemails that the app transcribes. */
export const speech = (settings: Settings) => {
  const voice = ({ baseUrl, key }: Settings["sarvam"]) => ({
    baseUrl,
    key: Option.getOrUndefined(key),
    models: settings.textToSpeechModels,
    voices: settings.textToSpeechVoices
  })
  return Layer.mergeAll(
    SarvamSpeechToText.layer({
      baseUrl: Option.getOrElse(settings.speechToTextBaseUrl, () => settings.sarvam.baseUrl).replace(/^http/, "ws"),
      key: Option.getOrUndefined(settings.sarvam.key),
      models: settings.speechToTextModels
    }),
    TextToSpeechRouter.layer({
      indic: voice(settings.sarvam),
      english: voice(settings.deepgram),
      premium: voice(settings.elevenLabs)
    }),
    speechCache(settings)
  )
}

/** What makes text of contacts' voice messages. */
export const voiceNotes = (settings: Settings) =>
  Layer.merge(
    VoiceNoteReaderThread.layer(),
    SarvamRecordedSpeech.layer({
      baseUrl: Option.getOrElse(settings.speechToTextBaseUrl, () => settings.sarvam.baseUrl),
      key: Option.getOrUndefined(settings.sarvam.key),
      model: speechToText,
      models: settings.speechToTextModels
    })
  )

const providers = (settings: Settings) =>
  Layer.mergeAll(
    languageModel(settings, settings.reasoningMaxTokens),
    moderation(settings),
    TwilioLiveCalls.layer({ baseUrl: settings.twilioBaseUrl }),
    WarmUp.layer({
      always: [settings.reasoning.baseUrl, settings.moderation.baseUrl],
      voices: {
        indic: settings.sarvam.baseUrl,
        english: settings.deepgram.baseUrl,
        premium: settings.elevenLabs.baseUrl
      }
    })
  )

const appAddress = (settings: Settings) => ({
  baseUrl: Option.getOrElse(settings.appBaseUrl, () => local(settings)),
  secret: Redacted.value(settings.engineSecret)
})

/** `AppCallbacks` over HTTP: how the engine reaches its app. */
export const appCallbacks = (settings: Settings) => HttpAppCallbacks.layer(appAddress(settings))

/** `AppCallbacks` in a process that is app and engine: to its own app, unless APP_BASE_URL names another. Needs OwnApp. */
export const ownAppCallbacks = (settings: Settings): Layer.Layer<AppCallbacks, never, OwnApp> =>
  Option.isSome(settings.appBaseUrl) ? appCallbacks(settings) : LocalAppCallbacks.layer(appAddress(settings))

/** The engine: the call actors with the provider adapters, the journal and the recordings. */
export const engine = <R>(settings: Settings, callbacks: Layer.Layer<AppCallbacks, never, R>) => {
  const secret = Redacted.value(settings.engineSecret)
  const calls = ownFolder(settings, "calls")
  const sounds = soundAddresses(settings)
  const held = sounds.length === 0 ? {} : { held: Effect.promise(() => heldCalls({ sounds, now: monotonicMs })) }
  // Journal and recordings treat the files they find as those of a dead process, so the folder is claimed. The recordings start after the
  // journal, so one claim is enough.
  const journal = FileCallJournal.layer({ folder: calls, ...held }).pipe(
    Layer.provide([callbacks, FolderOwner.layer(calls)])
  )
  const recordings = SpooledRecordings.layer({ folder: ownFolder(settings, "recordings"), ...held }).pipe(
    Layer.provide(journal)
  )
  const { maxCalls: capacity, maxLatenessMs } = settings
  const sound = sounds.length === 0 ? {} : { sound: { sounds } }
  return ActorSystem.layer({ streamUrl: streamUrl(settings), secret, capacity, maxLatenessMs, ...sound }).pipe(
    Layer.provide([
      journal,
      callbacks,
      recordings,
      providers(settings),
      callLeases(settings),
      reservationBoard(settings)
    ])
  )
}

/** `EngineClient` over HTTP: how the app reaches its engine. */
export const engineClient = (settings: Settings) =>
  HttpEngineClient.layer({
    baseUrl: Option.getOrElse(settings.engineBaseUrl, () => local(settings)),
    secret: Redacted.value(settings.engineSecret)
  })

/** `EngineClient` in a process that is app and engine: its own engine, unless ENGINE_BASE_URL names another. */
export const ownEngineClient = (settings: Settings): Layer.Layer<EngineClient, never, Engine> =>
  Option.isSome(settings.engineBaseUrl) ? engineClient(settings) : LocalEngineClient.layer
