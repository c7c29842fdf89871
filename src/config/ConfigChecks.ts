/** Checks the settings together. A problem is a sentence that names the setting to change. `docs/operations.md` has the same bounds. */
import { Option, Redacted, Result } from "effect"
import { messageOf } from "../domain/basics/ErrorMessage.ts"
import { proxiesProblem } from "../http/server/ClientAddress.ts"
import { parseServiceAccount } from "../integrations/push/ServiceAccount.ts"
import { parseRing } from "../integrations/secrets/KeyRing.ts"
import type { Purpose, Raw, Role, Settings } from "./Environment.ts"
import { wrongMediaLinks, wrongMediaPort } from "./SoundChecks.ts"
import { keyProblem, secretProblem, widestProxy } from "./WeakSecrets.ts"

type Complaint = (raw: Raw, purpose: Purpose) => string | undefined

interface Need {
  readonly of: ReadonlyArray<Purpose>
  readonly name: string
  readonly missing: (raw: Raw) => boolean
  readonly why?: string
  /** True: not required with ALLOW_EMBEDDED_DEFAULTS. */
  readonly waived?: boolean
}

const calls = ["all", "engine"] as const
const data = ["all", "app", "administration"] as const

/** Settings that production requires; development has a default for them. */
const needs: ReadonlyArray<Need> = [
  {
    of: data,
    name: "ENCRYPTION_KEYS",
    missing: ({ encryptionKeys }) => Option.isNone(encryptionKeys),
    why: " (id:base64 of 32 bytes)"
  },
  {
    of: [...data, "engine"],
    name: "ENGINE_WS_SECRET",
    missing: ({ engineSecret }) => Option.isNone(engineSecret)
  },
  {
    of: data,
    name: "PUBLIC_BASE_URL",
    missing: ({ publicBaseUrl }) => Option.isNone(publicBaseUrl),
    why: ": provider webhooks are signed over it"
  },
  {
    of: ["engine"],
    name: "STREAM_URL (or PUBLIC_BASE_URL)",
    missing: ({ streamUrl, publicBaseUrl }) => Option.isNone(streamUrl) && Option.isNone(publicBaseUrl),
    why: ": the provider connects its streams there"
  },
  {
    of: ["app"],
    name: "ENGINE_BASE_URL",
    missing: ({ engineBaseUrl }) => Option.isNone(engineBaseUrl),
    why: " for an app without an engine of its own"
  },
  {
    of: ["engine"],
    name: "APP_BASE_URL",
    missing: ({ appBaseUrl }) => Option.isNone(appBaseUrl),
    why: " for an engine without an app of its own"
  },
  { of: data, name: "DATABASE_URL", missing: ({ databaseUrl }) => Option.isNone(databaseUrl), waived: true },
  { of: calls, name: "SARVAM_API_KEY", missing: ({ sarvam }) => Option.isNone(sarvam.key), waived: true },
  { of: calls, name: "REASONING_API_KEY", missing: ({ reasoning }) => Option.isNone(reasoning.key), waived: true },
  { of: calls, name: "MODERATION_API_KEY", missing: ({ moderation }) => Option.isNone(moderation.key), waived: true }
]

const requireInProduction: Complaint = (raw, purpose) => {
  if (raw.environment !== "production") return undefined
  const lacking = needs.find(
    ({ of, missing, waived = false }) => of.includes(purpose) && missing(raw) && !(waived && raw.allowEmbedded)
  )
  if (lacking === undefined) return undefined
  const { name, why = "", waived = false } = lacking
  return `${name} is required in production${why}${waived ? " (or set ALLOW_EMBEDDED_DEFAULTS=true)" : ""}.`
}

/** The pattern and an example: `origin` for an address without a path, `base` for one that may have a path. */
const origin = [/^https?:\/\/[^/\s]+$/, "https://voice.example.com, without a path or trailing slash"] as const
const base = [/^https?:\/\/\S*[^/\s]$/, "https://api.example.com/v1, without a trailing slash"] as const

const database = [/^postgres(ql)?:\/\/./, "postgres://role:password@db.example.com:5432/parley"] as const

const wrongUrl: Complaint = (raw) => {
  const plain = Option.map<Redacted.Redacted, string>(Redacted.value)
  const urls: ReadonlyArray<readonly [string, Option.Option<string>, readonly [RegExp, string]]> = [
    ["PUBLIC_BASE_URL", raw.publicBaseUrl, origin],
    ["ENGINE_BASE_URL", raw.engineBaseUrl, origin],
    ["APP_BASE_URL", raw.appBaseUrl, origin],
    ["OBJECT_STORAGE_ENDPOINT", raw.objectStorage.endpoint, origin],
    ["MESSAGING_BASE_URL", raw.messaging.baseUrl, origin],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", raw.traces.endpoint, base],
    ["SARVAM_BASE_URL", Option.some(raw.sarvam.baseUrl), base],
    ["SARVAM_SPEECH_TO_TEXT_BASE_URL", raw.speechToTextBaseUrl, base],
    ["DEEPGRAM_BASE_URL", Option.some(raw.deepgram.baseUrl), base],
    ["ELEVENLABS_BASE_URL", Option.some(raw.elevenLabs.baseUrl), base],
    ["REASONING_BASE_URL", Option.some(raw.reasoning.baseUrl), base],
    ["MODERATION_BASE_URL", Option.some(raw.moderation.baseUrl), base],
    ["EMBEDDINGS_BASE_URL", Option.some(raw.embeddings.baseUrl), base],
    ["TWILIO_BASE_URL", Option.some(raw.twilioBaseUrl), base],
    ["FCM_BASE_URL", Option.some(raw.push.baseUrl), base],
    ["HUBSPOT_BASE_URL", Option.some(raw.hubspot.baseUrl), base],
    ["STRIPE_BASE_URL", Option.some(raw.payments.stripeBaseUrl), base],
    ["RAZORPAY_BASE_URL", Option.some(raw.payments.razorpayBaseUrl), base],
    ["PAYPAL_BASE_URL", Option.some(raw.payments.payPalBaseUrl), base],
    ["PAYPAL_SANDBOX_BASE_URL", Option.some(raw.payments.payPalSandboxUrl), base],
    ["SHOPIFY_BASE_URL", raw.shopify.baseUrl, base],
    ["SALESFORCE_LOGIN_URL", Option.some(raw.salesforce.loginUrl), base],
    ["ZOHO_ACCOUNTS_URL", Option.some(raw.zoho.accountsUrl), base],
    ["NOTION_BASE_URL", Option.some(raw.notion.baseUrl), base],
    ["SLACK_BASE_URL", Option.some(raw.slack.baseUrl), base],
    ["FCM_TOKEN_URL", raw.push.tokenUrl, base],
    ["STREAM_URL", raw.streamUrl, [/^wss:\/\/[^?\s]+$/, "wss://voice.example.com/media, without a query"]],
    ["DATABASE_URL", plain(raw.databaseUrl), database],
    ["MIGRATION_DATABASE_URL", plain(raw.migrationDatabaseUrl), database],
    ["REDIS_URL", plain(raw.redisUrl), [/^rediss?:\/\/./, "redis://redis.example.com:6379"]]
  ]
  const wrong = urls.find(([, value, [pattern]]) => Option.isSome(value) && !pattern.test(value.value))
  return wrong === undefined ? undefined : `${wrong[0]} must look like ${wrong[2][1]}.`
}

const wrongDatabase: Complaint = ({ databaseUrl, migrationDatabaseUrl }) =>
  Option.isSome(migrationDatabaseUrl) && Option.isNone(databaseUrl)
    ? "MIGRATION_DATABASE_URL needs DATABASE_URL: the embedded database has one role for everything."
    : undefined

/** Checks the maps from our names to the providers' names, and the list of models. An entry with an empty name would be ignored in silence. */
const wrongNames: Complaint = (raw) => {
  const maps = [
    ["SPEECH_TO_TEXT_MODELS", raw.speechToTextModels],
    ["TEXT_TO_SPEECH_MODELS", raw.textToSpeechModels],
    ["TEXT_TO_SPEECH_VOICES", raw.textToSpeechVoices]
  ] as const
  for (const [name, map] of maps)
    for (const [ours, theirs] of Object.entries(map))
      if (ours === "" || theirs === "")
        return `${name} must be name=name,name=name: "${ours}=${theirs}" names one only.`
  return raw.reasoningModels.length === 0 ? "REASONING_MODELS must name one model at least." : undefined
}

const wrongKeys: Complaint = ({ encryptionKeys }) =>
  Option.isNone(encryptionKeys)
    ? undefined
    : Result.match(parseRing(Redacted.value(encryptionKeys.value)), {
        onFailure: ({ message }) => message,
        onSuccess: () => undefined
      })

const wrongObjectStorage: Complaint = ({ objectStorage }) => {
  const { bucket, endpoint, accessKeyId, secretAccessKey } = objectStorage
  if (Option.isSome(accessKeyId) !== Option.isSome(secretAccessKey))
    return "OBJECT_STORAGE_ACCESS_KEY_ID and OBJECT_STORAGE_SECRET_ACCESS_KEY belong together: set both or neither."
  if (Option.isNone(bucket) && (Option.isSome(endpoint) || Option.isSome(accessKeyId)))
    return "OBJECT_STORAGE_BUCKET is required when other OBJECT_STORAGE settings are there."
  return undefined
}

const wrongTelephony: Complaint = ({ twilioPlatform: { accountSid, authToken } }) =>
  Option.isSome(accountSid) === Option.isSome(authToken)
    ? undefined
    : "TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN belong together: set both or neither."

const wrongClient: Complaint = ({ hubspot, salesforce, zoho, notion, slack }) => {
  const clients = Object.entries({ HUBSPOT: hubspot, SALESFORCE: salesforce, ZOHO: zoho, NOTION: notion, SLACK: slack })
  const wrong = clients.find(
    ([, { clientId, clientSecret }]) => Option.isSome(clientId) !== Option.isSome(clientSecret)
  )
  return wrong === undefined
    ? undefined
    : `${wrong[0]}_CLIENT_ID and ${wrong[0]}_CLIENT_SECRET belong together: set both or neither.`
}

const wrongSlack: Complaint = ({ slack: { clientId, signingSecret, appToken } }) => {
  if (Option.isSome(appToken) && !/^xapp-/.test(Redacted.value(appToken.value)))
    return "SLACK_APP_TOKEN must be an app-level token: xapp-…."
  return Option.isSome(clientId) && Option.isNone(signingSecret) && Option.isNone(appToken)
    ? "SLACK_CLIENT_ID needs SLACK_SIGNING_SECRET (events over HTTPS) or SLACK_APP_TOKEN (events over a socket)."
    : undefined
}

const wrongEmbeddings: Complaint = ({ embeddings: { key, model, leastCosine } }) => {
  if (Option.isSome(key) && Option.isNone(model))
    return "EMBEDDINGS_API_KEY needs EMBEDDINGS_MODEL, e.g. text-embedding-3-small."
  return leastCosine > 0 && leastCosine < 1 ? undefined : "EMBEDDINGS_LEAST_COSINE must be between 0 and 1."
}

const wrongPush: Complaint = ({ push: { serviceAccount } }) => {
  if (Option.isNone(serviceAccount)) return undefined
  try {
    parseServiceAccount(Redacted.value(serviceAccount.value))
    return undefined
  } catch (cause) {
    return messageOf(cause)
  }
}

const wrongCluster: Complaint = ({ cluster, databaseUrl }, purpose) => {
  // Only apps own conversations.
  if (purpose === "engine") return undefined
  if (Option.isSome(cluster.listenHost) && Option.isNone(cluster.host))
    return "CLUSTER_LISTEN_HOST needs CLUSTER_HOST: the address other processes reach this one at."
  return (Option.isSome(cluster.host) || Option.isSome(cluster.port)) && Option.isNone(databaseUrl)
    ? "CLUSTER_HOST and CLUSTER_PORT need DATABASE_URL: the embedded database belongs to one process."
    : undefined
}

const wrongMessaging: Complaint = ({ messaging: { version } }) =>
  /^v\d+\.\d+$/.test(version) ? undefined : "MESSAGING_API_VERSION must look like v23.0."

/** The worker's id, the number of workers, and the worker's own port: `2/4:40123`. */
export const workerPattern = /^(\d+)\/(\d+):(\d+)$/

/** A value that is not understood would make the worker a single process, which would use the same folders as the other workers. */
const wrongWorker: Complaint = ({ worker }) =>
  Option.isNone(worker) || workerPattern.test(worker.value)
    ? undefined
    : "PARLEY_WORKER is set by the supervisor (--workers) and must look like 2/4:40123; leave it unset."

const wrongInternal: Complaint = ({ internal, port }) =>
  Option.isSome(internal.port) && internal.port.value === port
    ? "INTERNAL_PORT must be another port than PORT."
    : undefined

const wrongProxies: Complaint = ({ trustedProxies }) => {
  const problem = proxiesProblem(trustedProxies)
  return problem === undefined ? undefined : `TRUSTED_PROXIES: ${problem}`
}

/** An origin is compared as browsers write it: scheme, host, and a port when it is not the scheme's own. */
const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text && /^https?:/.test(text)

const wrongOrigins: Complaint = ({ corsOrigins }) => {
  const wrong = corsOrigins.find((origin) => !isOrigin(origin))
  return wrong === undefined
    ? undefined
    : `CORS_ORIGINS: ${wrong} is not an origin. Write it as browsers do, without a path: https://desk.example.com. There is no * for all.`
}

/** Production takes no secret that could be guessed, and trusts no proxies that strangers could be. */
const weakInProduction: Complaint = ({ environment, engineSecret, encryptionKeys, trustedProxies }) => {
  if (environment !== "production") return undefined
  const weakSecret = Option.getOrUndefined(Option.map(engineSecret, (secret) => secretProblem(Redacted.value(secret))))
  if (weakSecret !== undefined)
    return `ENGINE_WS_SECRET${weakSecret}. Make one with: openssl rand -hex 32, and give it to app and engine.`
  const ring = Option.isNone(encryptionKeys)
    ? []
    : Result.getOrElse(parseRing(Redacted.value(encryptionKeys.value)), () => [])
  // Older keys only decrypt. A weak one may stay among them until everything is encrypted with a new one.
  const weakKey = ring.slice(0, 1).map(keyProblem).at(0)
  if (weakKey !== undefined)
    return (
      `ENCRYPTION_KEYS${weakKey}. Make one with: echo "k2:$(openssl rand -base64 32)". If secrets are stored already, put it in front of ` +
      "the old one and run: parley admin rotate-keys."
    )
  const wide = widestProxy(trustedProxies)
  return wide === undefined
    ? undefined
    : `TRUSTED_PROXIES: ${wide} holds addresses of strangers, who could then say that they are any client. Name the addresses of your proxies.`
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
  { name: "REASONING_MAX_TOKENS", value: (raw) => raw.reasoningMaxTokens, least: 1 },
  {
    name: "EMBEDDINGS_DIMENSIONS",
    value: ({ embeddings }) => Option.getOrElse(embeddings.dimensions, () => 8),
    least: 8,
    most: 4_096
  },
  { name: "EMBEDDINGS_MEMORY_MB", value: (raw) => raw.embeddings.memoryMb, least: 16 },
  { name: "HUMAN_RING_SECONDS", value: (raw) => raw.humans.ringSeconds, least: 1 },
  { name: "HUMAN_QUEUE_MAX_WAIT_SECONDS", value: (raw) => raw.humans.maxWaitSeconds, least: 1 },
  { name: "HUMAN_QUEUE_ANNOUNCE_SECONDS", value: (raw) => raw.humans.announceEverySeconds, least: 1 },
  { name: "OUTBOUND_QUEUE_SECONDS", value: (raw) => raw.outbound.queueSeconds, least: 1 },
  { name: "OUTBOUND_RING_SECONDS", value: (raw) => raw.outbound.ringSeconds, least: 5, most: 600 }
]

const outOfBounds: Complaint = (raw) => {
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

const checks: ReadonlyArray<Complaint> = [
  requireInProduction,
  wrongUrl,
  wrongDatabase,
  wrongNames,
  wrongKeys,
  wrongObjectStorage,
  wrongTelephony,
  wrongClient,
  wrongSlack,
  wrongMessaging,
  wrongPush,
  wrongEmbeddings,
  wrongCluster,
  wrongWorker,
  wrongInternal,
  wrongMediaPort,
  wrongMediaLinks,
  wrongProxies,
  wrongOrigins,
  weakInProduction,
  outOfBounds
]

/** The first problem, as a sentence; undefined when the service can start with these settings. */
export const complaintAbout: Complaint = (raw, purpose) => {
  for (const check of checks) {
    const complaint = check(raw, purpose)
    if (complaint !== undefined) return complaint
  }
  return undefined
}

/** Why this many workers of the role cannot run with these settings, as a sentence; undefined when they can. */
export const workersRefusal = (settings: Settings, workers: number, role: Role): string | undefined => {
  if (workers < 1) return "--workers must be at least 1."
  if (workers === 1) return undefined
  if (Option.isNone(settings.redisUrl))
    return "Several workers need REDIS_URL: they share reservations of calls and the limits of organizations."
  if (role !== "engine" && Option.isNone(settings.databaseUrl))
    return "Several workers need DATABASE_URL: the embedded database belongs to one process."
  if (settings.environment === "production" && Option.isNone(settings.encryptionKeys))
    return "Several workers need ENCRYPTION_KEYS: the reservations they share are encrypted."
  return undefined
}
