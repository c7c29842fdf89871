/** Composes the layers of a running Parley: the rooms, wired to each other by role. Settings in, one launchable layer out. */
import { join } from "node:path"
import { Effect, Layer, Option, Redacted } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import * as ActorSystem from "./actors/ActorSystem.ts"
import type { Settings } from "./Config.ts"
import * as MediaSocket from "./http/MediaSocket.ts"
import { Readiness } from "./http/Readiness.ts"
import { appRoutes, engineRoutes, systemRoutes } from "./http/Routes.ts"
import * as UwsHttpServer from "./http/UwsHttpServer.ts"
import * as FileCallJournal from "./integrations/engine/FileCallJournal.ts"
import * as HttpAppCallbacks from "./integrations/engine/HttpAppCallbacks.ts"
import * as HttpEngineClient from "./integrations/engine/HttpEngineClient.ts"
import * as ChatCompletions from "./integrations/llm/ChatCompletions.ts"
import * as OpenAiModeration from "./integrations/moderation/OpenAiModeration.ts"
import * as Database from "./integrations/postgres/Database.ts"
import * as EmbeddedPostgres from "./integrations/postgres/EmbeddedPostgres.ts"
import * as Repositories from "./integrations/postgres/Repositories.ts"
import * as Redis from "./integrations/redis/Redis.ts"
import * as SpeechCacheRedis from "./integrations/redis/SpeechCacheRedis.ts"
import * as KeyRing from "./integrations/secrets/KeyRing.ts"
import * as SpeechCacheMemory from "./integrations/storage/SpeechCacheMemory.ts"
import * as SarvamSpeechToText from "./integrations/stt/Sarvam.ts"
import * as TwilioRest from "./integrations/telephony/TwilioRest.ts"
import * as HttpTools from "./integrations/tools/HttpTools.ts"
import * as TextToSpeechRouter from "./integrations/tts/TextToSpeechRouter.ts"

export type Role = "all" | "app" | "engine"

const local = (settings: Settings) => `http://127.0.0.1:${settings.port}`
export const publicBaseUrl = (settings: Settings) => Option.getOrElse(settings.publicBaseUrl, () => local(settings))
/** What TwiML names as the stream's address: always `wss`, the provider takes nothing else. */
const streamUrl = (settings: Settings) =>
  Option.getOrElse(
    settings.streamUrl,
    () => `${publicBaseUrl(settings).replace(/^https?/, "wss")}${MediaSocket.mediaPath}`
  )

/** PostgreSQL (the operator's, or the embedded one) and the repositories over it. */
export const storage = (settings: Settings) => {
  const database = Option.match(settings.databaseUrl, {
    onSome: (url) =>
      Database.layer({
        url,
        ...(Option.isSome(settings.migrationDatabaseUrl) ? { migrationUrl: settings.migrationDatabaseUrl.value } : {})
      }),
    onNone: () =>
      Layer.unwrap(Effect.map(EmbeddedPostgres.EmbeddedPostgres, ({ url }) => Database.layer({ url }))).pipe(
        Layer.provide(EmbeddedPostgres.layer({ dataDir: join(settings.dataDir, "postgres") }))
      )
  })
  const keys = Option.match(settings.encryptionKeys, {
    onSome: (ring) => KeyRing.layer({ ring }),
    onNone: () => KeyRing.layerFile({ dataDir: settings.dataDir })
  })
  return Repositories.layer.pipe(Layer.provide(keys), Layer.provideMerge(database))
}

const speechCache = (settings: Settings) =>
  Option.match(settings.redisUrl, {
    onSome: (url) => SpeechCacheRedis.layer().pipe(Layer.provide(Redis.layer({ url }))),
    onNone: () => SpeechCacheMemory.layer({ dataDir: settings.dataDir })
  })

const providers = (settings: Settings) => {
  const speech = ({ baseUrl, key }: Settings["sarvam"]) => ({
    baseUrl,
    key: Option.getOrUndefined(key),
    models: settings.textToSpeechModels,
    voices: settings.textToSpeechVoices
  })
  const secret = (key: Option.Option<Redacted.Redacted>) => (Option.isSome(key) ? Redacted.value(key.value) : "")
  return Layer.mergeAll(
    SarvamSpeechToText.layer({
      baseUrl: Option.getOrElse(settings.speechToTextBaseUrl, () => settings.sarvam.baseUrl).replace(/^http/, "ws"),
      key: Option.getOrUndefined(settings.sarvam.key),
      models: settings.speechToTextModels
    }),
    TextToSpeechRouter.layer({
      indic: speech(settings.sarvam),
      english: speech(settings.deepgram),
      premium: speech(settings.elevenLabs)
    }),
    ChatCompletions.layer({
      baseUrl: settings.reasoning.baseUrl,
      apiKey: secret(settings.reasoning.key),
      models: settings.reasoningModels,
      maxTokens: settings.reasoningMaxTokens,
      temperature: 0.4
    }),
    OpenAiModeration.layer({ baseUrl: settings.moderation.baseUrl, apiKey: secret(settings.moderation.key) }),
    TwilioRest.layer({ baseUrl: settings.twilioBaseUrl })
  )
}

/** The engine: actors over the provider adapters. */
const engine = (settings: Settings) => {
  const secret = Redacted.value(settings.engineSecret)
  const callbacks = HttpAppCallbacks.layer({
    baseUrl: Option.getOrElse(settings.appBaseUrl, () => local(settings)),
    secret
  })
  const journal = FileCallJournal.layer({ folder: join(settings.dataDir, "calls") }).pipe(Layer.provide(callbacks))
  return ActorSystem.layer({ streamUrl: streamUrl(settings), secret, capacity: settings.maxCalls }).pipe(
    Layer.provide([journal, callbacks, providers(settings), speechCache(settings)])
  )
}

const databaseAnswers = Effect.map(SqlClient.SqlClient, (sql) =>
  sql`SELECT 1`.pipe(
    Effect.as(true),
    Effect.timeout("2 seconds"),
    Effect.catch(() => Effect.succeed(false))
  )
)

const appReadiness = Layer.effect(
  Readiness,
  Effect.map(databaseAnswers, (answers) => ({ check: Effect.map(answers, (database) => ({ database })) }))
)
const engineReadiness = Layer.succeed(Readiness, { check: Effect.succeed({ engine: true }) })

const listen = (settings: Settings) => ({ host: settings.host, port: settings.port })

const withMediaSocket = (settings: Settings) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const streams = yield* ActorSystem.CallStreams
      const runFork = Effect.runForkWith(yield* Effect.context<never>())
      return UwsHttpServer.layer({
        ...listen(settings),
        register: (app) =>
          MediaSocket.register(app, streams, (effect) => {
            runFork(effect)
          })
      })
    })
  )

const appServices = (settings: Settings) => {
  const secret = Redacted.value(settings.engineSecret)
  return appRoutes({ secret, publicBaseUrl: publicBaseUrl(settings) }).pipe(
    Layer.provide([
      HttpEngineClient.layer({ baseUrl: Option.getOrElse(settings.engineBaseUrl, () => local(settings)), secret }),
      HttpTools.layer({ allowPrivateNetwork: settings.allowPrivateTools })
    ])
  )
}

const engineServices = (settings: Settings) => engineRoutes({ secret: Redacted.value(settings.engineSecret) })

const serve = <A, E, R>(routes: Layer.Layer<A, E, R>) =>
  HttpRouter.serve(Layer.mergeAll(routes, systemRoutes), { disableLogger: true, disableListenLog: true })

/** App and engine in one process. Also gives out the repositories, for the administration that starts with it. */
export const all = (settings: Settings) =>
  serve(Layer.mergeAll(appServices(settings), engineServices(settings))).pipe(
    Layer.provide(withMediaSocket(settings)),
    Layer.provide([engine(settings), appReadiness, HttpServer.layerServices]),
    Layer.provideMerge(storage(settings))
  )

const app = (settings: Settings) =>
  serve(appServices(settings)).pipe(
    Layer.provide(UwsHttpServer.layer(listen(settings))),
    Layer.provide([appReadiness, HttpServer.layerServices]),
    Layer.provide(storage(settings))
  )

const engineOnly = (settings: Settings) =>
  serve(engineServices(settings)).pipe(
    Layer.provide(withMediaSocket(settings)),
    Layer.provide([engine(settings), engineReadiness, HttpServer.layerServices])
  )

/** The server of a role, to be launched. */
export const layer = (settings: Settings, role: Role) => {
  switch (role) {
    case "all":
      return Layer.effectDiscard(Layer.build(all(settings)))
    case "app":
      return Layer.effectDiscard(Layer.build(app(settings)))
    case "engine":
      return Layer.effectDiscard(Layer.build(engineOnly(settings)))
  }
}
