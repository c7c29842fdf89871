/** Every setting, read once. `docs/operations.md` documents each with its default; a wrong value stops the start and is named. */
import { randomBytes } from "node:crypto"
import { Config, Effect, Option, Redacted, Schema } from "effect"

export class ConfigInvalid extends Schema.TaggedError<ConfigInvalid>()("ConfigInvalid", { message: Schema.String }) {}

const provider = (name: string, baseUrl: string) =>
  Config.all({
    baseUrl: Config.String(`${name}_BASE_URL`).pipe(Config.withDefault(baseUrl)),
    key: Config.option(Config.Redacted(`${name}_API_KEY`))
  })

/** `locked=live,locked=live`: what a locked model or voice name is called at the provider today. */
const nameMap = (name: string) =>
  Config.String(name).pipe(
    Config.withDefault(""),
    Config.map(
      (text): Readonly<Record<string, string>> =>
        Object.fromEntries(
          text
            .split(",")
            .filter((pair) => pair.includes("="))
            .map((pair) => [pair.slice(0, pair.indexOf("=")).trim(), pair.slice(pair.indexOf("=") + 1).trim()])
        )
    )
  )

const list = (name: string, fallback: string) =>
  Config.String(name).pipe(
    Config.withDefault(fallback),
    Config.map((text) =>
      text
        .split(",")
        .map((item) => item.trim())
        .filter((item) => item !== "")
    )
  )

const settings = Config.all({
  environment: Config.Literals(["development", "test", "production"], "NODE_ENV").pipe(
    Config.withDefault("development" as const)
  ),
  host: Config.String("HOST").pipe(Config.withDefault("127.0.0.1")),
  port: Config.Port("PORT").pipe(Config.withDefault(8080)),
  publicBaseUrl: Config.option(Config.String("PUBLIC_BASE_URL")),
  dataDir: Config.String("DATA_DIR").pipe(Config.withDefault("data")),
  databaseUrl: Config.option(Config.Redacted("DATABASE_URL")),
  migrationDatabaseUrl: Config.option(Config.Redacted("MIGRATION_DATABASE_URL")),
  redisUrl: Config.option(Config.Redacted("REDIS_URL")),
  encryptionKeys: Config.option(Config.Redacted("ENCRYPTION_KEYS")),
  engineSecret: Config.option(Config.Redacted("ENGINE_WS_SECRET")),
  engineBaseUrl: Config.option(Config.String("ENGINE_BASE_URL")),
  appBaseUrl: Config.option(Config.String("APP_BASE_URL")),
  streamUrl: Config.option(Config.String("STREAM_URL")),
  maxCalls: Config.Int("MAX_CALLS").pipe(Config.withDefault(1_000)),
  allowPrivateTools: Config.Boolean("ALLOW_PRIVATE_TOOL_ADDRESSES").pipe(Config.withDefault(false)),
  allowEmbedded: Config.Boolean("ALLOW_EMBEDDED_DEFAULTS").pipe(Config.withDefault(false)),
  sarvam: provider("SARVAM", "https://api.sarvam.ai"),
  deepgram: provider("DEEPGRAM", "https://api.deepgram.com"),
  elevenLabs: provider("ELEVENLABS", "https://api.elevenlabs.io"),
  reasoning: provider("REASONING", "https://api.groq.com/openai/v1"),
  moderation: provider("MODERATION", "https://api.openai.com/v1"),
  /** Speech-to-text elsewhere than text-to-speech (the same provider, another host). */
  speechToTextBaseUrl: Config.option(Config.String("SARVAM_SPEECH_TO_TEXT_BASE_URL")),
  twilioBaseUrl: Config.String("TWILIO_BASE_URL").pipe(Config.withDefault("https://api.twilio.com")),
  reasoningModels: list("REASONING_MODELS", "openai/gpt-oss-20b,openai/gpt-oss-120b"),
  reasoningMaxTokens: Config.Int("REASONING_MAX_TOKENS").pipe(Config.withDefault(300)),
  speechToTextModels: nameMap("SPEECH_TO_TEXT_MODELS"),
  textToSpeechModels: nameMap("TEXT_TO_SPEECH_MODELS"),
  textToSpeechVoices: nameMap("TEXT_TO_SPEECH_VOICES")
})

type Raw = Config.Success<typeof settings>

export interface Settings extends Omit<Raw, "engineSecret"> {
  readonly engineSecret: Redacted.Redacted
}

const requireInProduction = (raw: Raw): string | undefined => {
  if (raw.environment !== "production") return undefined
  if (Option.isNone(raw.encryptionKeys)) return "ENCRYPTION_KEYS is required in production (id:base64 of 32 bytes)."
  if (Option.isNone(raw.engineSecret)) return "ENGINE_WS_SECRET is required in production."
  if (Option.isNone(raw.publicBaseUrl))
    return "PUBLIC_BASE_URL is required in production: provider webhooks are signed over it."
  if (Option.isNone(raw.databaseUrl) && !raw.allowEmbedded)
    return "DATABASE_URL is required in production (or set ALLOW_EMBEDDED_DEFAULTS=true)."
  const missing = (["sarvam", "reasoning", "moderation"] as const).find((name) => Option.isNone(raw[name].key))
  if (missing !== undefined && !raw.allowEmbedded)
    return `${missing.toUpperCase()}_API_KEY is required in production (or set ALLOW_EMBEDDED_DEFAULTS=true).`
  return undefined
}

const wrongUrl = (raw: Raw): string | undefined => {
  const urls: ReadonlyArray<readonly [string, Option.Option<string>, RegExp]> = [
    ["PUBLIC_BASE_URL", raw.publicBaseUrl, /^https?:\/\/[^/]+$/],
    ["ENGINE_BASE_URL", raw.engineBaseUrl, /^https?:\/\/[^/]+$/],
    ["APP_BASE_URL", raw.appBaseUrl, /^https?:\/\/[^/]+$/],
    ["STREAM_URL", raw.streamUrl, /^wss:\/\/[^?]+$/]
  ]
  const wrong = urls.find(([, value, pattern]) => Option.isSome(value) && !pattern.test(value.value))
  return wrong === undefined ? undefined : `${wrong[0]} must look like ${wrong[2].source}, without a trailing slash.`
}

/** Reads and checks the environment. In development a missing secret is made up for the life of the process. */
export const load: Effect.Effect<Settings, ConfigInvalid> = Effect.gen(function* () {
  const raw = yield* settings
  const complaint = requireInProduction(raw) ?? wrongUrl(raw)
  if (complaint !== undefined) return yield* new ConfigInvalid({ message: complaint })
  if (raw.maxCalls < 1) return yield* new ConfigInvalid({ message: "MAX_CALLS must be at least 1." })
  return {
    ...raw,
    engineSecret: Option.getOrElse(raw.engineSecret, () => Redacted.make(randomBytes(32).toString("hex")))
  }
}).pipe(
  Effect.catchTag("ConfigError", (error) => new ConfigInvalid({ message: `A setting is wrong: ${error.message}` }))
)
