/** Settings for a service in a process of its own. */
import { Option, Redacted } from "effect"
import type { Settings } from "./Environment.ts"

/** The environment in which a process of its own has these settings, as far as benches and tests set them. */
export const environmentOf = (settings: Settings): Readonly<Record<string, string>> => {
  const optional = (name: string, value: Option.Option<string | Redacted.Redacted>): Record<string, string> =>
    Option.match(value, {
      onNone: () => ({}),
      onSome: (it) => ({ [name]: typeof it === "string" ? it : Redacted.value(it) })
    })
  const provider = (name: string, { baseUrl, key }: Settings["sarvam"]) => ({
    [`${name}_BASE_URL`]: baseUrl,
    ...optional(`${name}_API_KEY`, key)
  })
  return {
    NODE_ENV: settings.environment,
    HOST: settings.host,
    PORT: String(settings.port),
    DATA_DIR: settings.dataDir,
    MAX_CALLS: String(settings.maxCalls),
    MAX_LATENESS_MS: String(settings.maxLatenessMs),
    RATE_LIMIT_PER_MINUTE: String(settings.requestsPerMinute),
    MESSAGES_PER_SECOND: String(settings.messagesPerSecond),
    DRAIN_SECONDS: String(settings.drainSeconds),
    TRUSTED_PROXIES: settings.trustedProxies.join(","),
    ALLOW_PRIVATE_TOOL_ADDRESSES: String(settings.allowPrivateTools),
    ENGINE_WS_SECRET: Redacted.value(settings.engineSecret),
    TWILIO_BASE_URL: settings.twilioBaseUrl,
    HUBSPOT_BASE_URL: settings.hubspot.baseUrl,
    NOTION_BASE_URL: settings.notion.baseUrl,
    ...optional("MEDIA_PORT", Option.map(settings.mediaPort, String)),
    ...optional("INTERNAL_PORT", Option.map(settings.internal.port, String)),
    ...optional("PUBLIC_BASE_URL", settings.publicBaseUrl),
    ...optional("STREAM_URL", settings.streamUrl),
    ...optional("APP_BASE_URL", settings.appBaseUrl),
    ...optional("ENGINE_BASE_URL", settings.engineBaseUrl),
    ...optional("REDIS_URL", settings.redisUrl),
    ...optional("DATABASE_URL", settings.databaseUrl),
    ...optional("ENCRYPTION_KEYS", settings.encryptionKeys),
    ...optional("SARVAM_SPEECH_TO_TEXT_BASE_URL", settings.speechToTextBaseUrl),
    ...provider("SARVAM", settings.sarvam),
    ...provider("DEEPGRAM", settings.deepgram),
    ...provider("ELEVENLABS", settings.elevenLabs),
    ...provider("REASONING", settings.reasoning),
    ...provider("MODERATION", settings.moderation)
  }
}
