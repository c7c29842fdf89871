/** What is wrong with the settings taken together, as a sentence that names the one to change. `docs/operations.md` has the same bounds. */
import { Option, Redacted } from "effect"
import type { Raw } from "./Config.ts"
import { proxiesProblem } from "./http/ClientAddress.ts"
import { parseServiceAccount } from "./integrations/push/ServiceAccount.ts"

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
    ["OTEL_EXPORTER_OTLP_ENDPOINT", raw.traces.endpoint, /^https?:\/\/\S*[^/]$/],
    ["MESSAGING_BASE_URL", raw.messaging.baseUrl, /^https?:\/\/[^/]+$/],
    ["STREAM_URL", raw.streamUrl, /^wss:\/\/[^?]+$/],
    ["OBJECT_STORAGE_ENDPOINT", raw.objectStorage.endpoint, /^https?:\/\/[^/]+$/]
  ]
  const wrong = urls.find(([, value, pattern]) => Option.isSome(value) && !pattern.test(value.value))
  return wrong === undefined ? undefined : `${wrong[0]} must look like ${wrong[2].source}, without a trailing slash.`
}

const wrongObjectStorage = ({ objectStorage }: Raw): string | undefined => {
  const { bucket, endpoint, accessKeyId, secretAccessKey } = objectStorage
  if (Option.isSome(accessKeyId) !== Option.isSome(secretAccessKey))
    return "OBJECT_STORAGE_ACCESS_KEY_ID and OBJECT_STORAGE_SECRET_ACCESS_KEY belong together: set both or neither."
  if (Option.isNone(bucket) && (Option.isSome(endpoint) || Option.isSome(accessKeyId)))
    return "OBJECT_STORAGE_BUCKET is required when other OBJECT_STORAGE settings are there."
  return undefined
}

const wrongTelephony = ({ twilioPlatform: { accountSid, authToken } }: Raw): string | undefined =>
  Option.isSome(accountSid) === Option.isSome(authToken)
    ? undefined
    : "TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN belong together: set both or neither."

const wrongPush = ({ push: { serviceAccount } }: Raw): string | undefined => {
  if (Option.isNone(serviceAccount)) return undefined
  try {
    parseServiceAccount(Redacted.value(serviceAccount.value))
    return undefined
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause)
  }
}

const wrongCluster = ({ cluster, databaseUrl }: Raw): string | undefined => {
  if (Option.isSome(cluster.listenHost) && Option.isNone(cluster.host))
    return "CLUSTER_LISTEN_HOST needs CLUSTER_HOST: the address other processes reach this one at."
  return (Option.isSome(cluster.host) || Option.isSome(cluster.port)) && Option.isNone(databaseUrl)
    ? "CLUSTER_HOST and CLUSTER_PORT need DATABASE_URL: the embedded database belongs to one process."
    : undefined
}

const wrongMessaging = ({ messaging: { version } }: Raw): string | undefined =>
  /^v\d+\.\d+$/.test(version) ? undefined : "MESSAGING_API_VERSION must look like v23.0."

const wrongProxies = ({ trustedProxies }: Raw): string | undefined => {
  const problem = proxiesProblem(trustedProxies)
  return problem === undefined ? undefined : `TRUSTED_PROXIES: ${problem}`
}

interface Bounds {
  readonly name: string
  readonly value: (raw: Raw) => number
  readonly least: number
  readonly most?: number
}

const bounds: ReadonlyArray<Bounds> = [
  { name: "RATE_LIMIT_PER_MINUTE", value: (raw) => raw.requestsPerMinute, least: 0 },
  { name: "MESSAGES_PER_SECOND", value: (raw) => raw.messagesPerSecond, least: 1, most: 1_000 },
  { name: "BROADCASTS_PER_SECOND", value: (raw) => raw.broadcastsPerSecond, least: 1, most: 1_000 },
  { name: "MAX_CALLS", value: (raw) => raw.maxCalls, least: 1 },
  { name: "MAX_LATENESS_MS", value: (raw) => raw.maxLatenessMs, least: 1 },
  { name: "DRAIN_SECONDS", value: (raw) => raw.drainSeconds, least: 0 },
  { name: "HUMAN_RING_SECONDS", value: (raw) => raw.humans.ringSeconds, least: 1 },
  { name: "HUMAN_QUEUE_MAX_WAIT_SECONDS", value: (raw) => raw.humans.maxWaitSeconds, least: 1 },
  { name: "HUMAN_QUEUE_ANNOUNCE_SECONDS", value: (raw) => raw.humans.announceEverySeconds, least: 1 },
  { name: "OUTBOUND_QUEUE_SECONDS", value: (raw) => raw.outbound.queueSeconds, least: 1 },
  { name: "OUTBOUND_RING_SECONDS", value: (raw) => raw.outbound.ringSeconds, least: 5, most: 600 }
]

const outOfBounds = (raw: Raw): string | undefined => {
  const { callsPerSecond } = raw.outbound
  if (!(callsPerSecond > 0 && callsPerSecond <= 100))
    return "OUTBOUND_CALLS_PER_SECOND must be above 0 and at most 100."
  const wrong = bounds.find(
    ({ value, least, most = Number.POSITIVE_INFINITY }) => value(raw) < least || value(raw) > most
  )
  if (wrong === undefined) return undefined
  const { name, least, most } = wrong
  return most === undefined ? `${name} must be at least ${least}.` : `${name} must be from ${least} to ${most}.`
}

const checks = [
  requireInProduction,
  wrongUrl,
  wrongObjectStorage,
  wrongTelephony,
  wrongMessaging,
  wrongPush,
  wrongCluster,
  wrongProxies,
  outOfBounds
]

/** The first thing that is wrong; undefined: the service can start with these. */
export const complaintAbout = (raw: Raw): string | undefined => {
  for (const check of checks) {
    const complaint = check(raw)
    if (complaint !== undefined) return complaint
  }
  return undefined
}
