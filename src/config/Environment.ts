/** Every environment variable with its type and default, and the settings made of them. `Config` reads and checks them. */
import { Config, Redacted, Schema } from "effect"
import { escalationDefaults } from "../domain/voice/calls/live/EscalationPolicy.ts"
import { outboundDefaults } from "../domain/voice/calls/outbound/RequestCall.ts"

/** Which part of the service a process runs. */
export type Role = "all" | "app" | "engine"

/** What the settings are read for: not every purpose needs all of them. */
export type Purpose = Role | "administration"

const provider = (name: string, baseUrl: string) =>
  Config.all({
    baseUrl: Config.String(`${name}_BASE_URL`).pipe(Config.withDefault(baseUrl)),
    key: Config.option(Config.Redacted(`${name}_API_KEY`))
  })

const entriesOf = (text: string) =>
  text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")

/** `locked=live,locked=live`: the provider's current name for each of our locked model or voice names. */
const nameMap = (name: string) =>
  Config.String(name).pipe(
    Config.withDefault(""),
    Config.map(
      (text): Readonly<Record<string, string>> =>
        Object.fromEntries(
          entriesOf(text).map((entry) => {
            const [ours, ...theirs] = entry.split("=")
            return [ours.trim(), theirs.join("=").trim()]
          })
        )
    )
  )

/** Without a bucket, objects are files in the data folder. */
const objectStorage = Config.all({
  bucket: Config.option(Config.String("OBJECT_STORAGE_BUCKET")),
  endpoint: Config.option(Config.String("OBJECT_STORAGE_ENDPOINT")),
  region: Config.String("OBJECT_STORAGE_REGION").pipe(Config.withDefault("us-east-1")),
  accessKeyId: Config.option(Config.String("OBJECT_STORAGE_ACCESS_KEY_ID")),
  secretAccessKey: Config.option(Config.Redacted("OBJECT_STORAGE_SECRET_ACCESS_KEY")),
  pathStyle: Config.option(Config.Boolean("OBJECT_STORAGE_PATH_STYLE"))
})

const list = (name: string, fallback: string) =>
  Config.String(name).pipe(Config.withDefault(fallback), Config.map(entriesOf))

/** `name=value,name=value` with percent-encoded values, as OpenTelemetry writes its headers. */
const headers = (name: string) =>
  Config.Record(Schema.String, Schema.StringFromUriComponent, name).pipe(
    Config.withDefault({}),
    Config.map(
      (record): Readonly<Record<string, Redacted.Redacted>> =>
        Object.fromEntries(Object.entries(record).map(([header, value]) => [header, Redacted.make(value)]))
    )
  )

export const environment = Config.Literals(["development", "test", "production"], "NODE_ENV").pipe(
  Config.withDefault("development" as const)
)

/** The operator's app at a provider of integrations. */
const oauthClient = (prefix: string) => ({
  clientId: Config.option(Config.String(`${prefix}_CLIENT_ID`)),
  clientSecret: Config.option(Config.Redacted(`${prefix}_CLIENT_SECRET`))
})

/** All settings, as Effect's Config reads them. */
export const settings = Config.all({
  environment,
  host: Config.String("HOST").pipe(Config.withDefault("127.0.0.1")),
  port: Config.Port("PORT").pipe(Config.withDefault(8080)),
  /** The listener for operators. Workers use consecutive ports from this one. */
  internal: Config.all({
    host: Config.String("INTERNAL_HOST").pipe(Config.withDefault("127.0.0.1")),
    port: Config.option(Config.Port("INTERNAL_PORT"))
  }),
  publicBaseUrl: Config.option(Config.String("PUBLIC_BASE_URL")),
  dataDir: Config.String("DATA_DIR").pipe(Config.withDefault("data")),
  databaseUrl: Config.option(Config.Redacted("DATABASE_URL")),
  migrationDatabaseUrl: Config.option(Config.Redacted("MIGRATION_DATABASE_URL")),
  objectStorage,
  redisUrl: Config.option(Config.Redacted("REDIS_URL")),
  encryptionKeys: Config.option(Config.Redacted("ENCRYPTION_KEYS")),
  engineSecret: Config.option(Config.Redacted("ENGINE_WS_SECRET")),
  engineBaseUrl: Config.option(Config.String("ENGINE_BASE_URL")),
  appBaseUrl: Config.option(Config.String("APP_BASE_URL")),
  streamUrl: Config.option(Config.String("STREAM_URL")),
  trustedProxies: list("TRUSTED_PROXIES", ""),
  /** The origins whose pages may use the interface. */
  corsOrigins: list("CORS_ORIGINS", ""),
  requestsPerMinute: Config.Int("RATE_LIMIT_PER_MINUTE").pipe(Config.withDefault(120)),
  /** How often one API key may call the MCP server's tools that send, call or ask for money. 0 means no limit. */
  mcp: Config.all({
    sendsPerMinute: Config.Int("MCP_SENDS_PER_MINUTE").pipe(Config.withDefault(3)),
    sendsPerDay: Config.Int("MCP_SENDS_PER_DAY").pipe(Config.withDefault(100))
  }),
  messagesPerSecond: Config.Int("MESSAGES_PER_SECOND").pipe(Config.withDefault(80)),
  broadcastsPerSecond: Config.Int("BROADCASTS_PER_SECOND").pipe(Config.withDefault(80)),
  maxCalls: Config.Int("MAX_CALLS").pipe(Config.withDefault(1_000)),
  maxLatenessMs: Config.Int("MAX_LATENESS_MS").pipe(Config.withDefault(50)),
  /** Where the process of the sound listens for the provider's streams (`--sound process`). Default: the port after PORT. */
  mediaPort: Config.option(Config.Port("MEDIA_PORT")),
  /** Set by the supervisor: the sockets of the processes with the sound. None: the sound is inside this process. */
  mediaSockets: list("PARLEY_MEDIA_SOCKETS", ""),
  /** Processes with the sound on other machines, `tls://host:port`, and what this engine shows them. */
  mediaLinks: Config.all({
    addresses: list("MEDIA_LINKS", ""),
    cert: Config.option(Config.String("MEDIA_LINK_CERT")),
    key: Config.option(Config.String("MEDIA_LINK_KEY")),
    ca: Config.option(Config.String("MEDIA_LINK_CA"))
  }),
  /** Set by the supervisor for its workers: `2/4:40123` is the second of four, with a port of its own on loopback. */
  worker: Config.option(Config.String("PARLEY_WORKER")),
  /** Where processes that share the database reach this one; see `clusterOf`. */
  cluster: Config.all({
    host: Config.option(Config.String("CLUSTER_HOST")),
    port: Config.option(Config.Port("CLUSTER_PORT")),
    listenHost: Config.option(Config.String("CLUSTER_LISTEN_HOST"))
  }),
  drainSeconds: Config.Int("DRAIN_SECONDS").pipe(Config.withDefault(300)),
  allowPrivateTools: Config.Boolean("ALLOW_PRIVATE_TOOL_ADDRESSES").pipe(Config.withDefault(false)),
  allowEmbedded: Config.Boolean("ALLOW_EMBEDDED_DEFAULTS").pipe(Config.withDefault(false)),
  sarvam: provider("SARVAM", "https://api.sarvam.ai"),
  deepgram: provider("DEEPGRAM", "https://api.deepgram.com"),
  elevenLabs: provider("ELEVENLABS", "https://api.elevenlabs.io"),
  reasoning: provider("REASONING", "https://api.groq.com/openai/v1"),
  moderation: provider("MODERATION", "https://api.openai.com/v1"),
  /** Vectors of knowledge. Without a model, passages are found by their words alone. */
  embeddings: Config.all({
    baseUrl: Config.String("EMBEDDINGS_BASE_URL").pipe(Config.withDefault("https://api.openai.com/v1")),
    key: Config.option(Config.Redacted("EMBEDDINGS_API_KEY")),
    model: Config.option(Config.String("EMBEDDINGS_MODEL")),
    dimensions: Config.option(Config.Int("EMBEDDINGS_DIMENSIONS")),
    leastCosine: Config.Number("EMBEDDINGS_LEAST_COSINE").pipe(Config.withDefault(0.35)),
    memoryMb: Config.Int("EMBEDDINGS_MEMORY_MB").pipe(Config.withDefault(256))
  }),
  /** Speech-to-text at another host of the same provider than text-to-speech. */
  speechToTextBaseUrl: Config.option(Config.String("SARVAM_SPEECH_TO_TEXT_BASE_URL")),
  /** The account that each organization's subaccount is made from. */
  twilioPlatform: Config.all({
    accountSid: Config.option(Config.String("TWILIO_ACCOUNT_SID")),
    authToken: Config.option(Config.Redacted("TWILIO_AUTH_TOKEN"))
  }),
  sipHost: Config.String("SIP_HOST").pipe(Config.withDefault("sip.twilio.com")),
  /** The messaging channel: the Cloud API's host and version. */
  messaging: Config.all({
    baseUrl: Config.option(Config.String("MESSAGING_BASE_URL")),
    version: Config.String("MESSAGING_API_VERSION").pipe(Config.withDefault("v23.0"))
  }),
  /** HubSpot: its address, and the operator's app for OAuth. Without an app organizations connect by tokens of private apps. */
  hubspot: Config.all({
    baseUrl: Config.String("HUBSPOT_BASE_URL").pipe(Config.withDefault("https://api.hubapi.com")),
    authorizeUrl: Config.String("HUBSPOT_AUTHORIZE_URL").pipe(
      Config.withDefault("https://app.hubspot.com/oauth/authorize")
    ),
    ...oauthClient("HUBSPOT")
  }),
  /** Salesforce: where people agree, and the operator's app. Without an app it cannot be connected. */
  salesforce: Config.all({
    loginUrl: Config.String("SALESFORCE_LOGIN_URL").pipe(Config.withDefault("https://login.salesforce.com")),
    ...oauthClient("SALESFORCE")
  }),
  /** The payment providers' interfaces. */
  payments: Config.all({
    stripeBaseUrl: Config.String("STRIPE_BASE_URL").pipe(Config.withDefault("https://api.stripe.com")),
    razorpayBaseUrl: Config.String("RAZORPAY_BASE_URL").pipe(Config.withDefault("https://api.razorpay.com")),
    payPalBaseUrl: Config.String("PAYPAL_BASE_URL").pipe(Config.withDefault("https://api-m.paypal.com")),
    payPalSandboxUrl: Config.String("PAYPAL_SANDBOX_BASE_URL").pipe(
      Config.withDefault("https://api-m.sandbox.paypal.com")
    )
  }),
  /** Shopify answers at each shop's own domain. The address of one shop instead, e.g. of a simulated one. */
  shopify: Config.all({ baseUrl: Config.option(Config.String("SHOPIFY_BASE_URL")) }),
  /** Zoho CRM: where people of all data centres begin to agree, and the operator's client. Without a client it cannot be connected. */
  zoho: Config.all({
    accountsUrl: Config.String("ZOHO_ACCOUNTS_URL").pipe(Config.withDefault("https://accounts.zoho.com")),
    ...oauthClient("ZOHO")
  }),
  /** Notion: its address, and the operator's public integration. Without it organizations connect by secrets of internal integrations. */
  notion: Config.all({
    baseUrl: Config.String("NOTION_BASE_URL").pipe(Config.withDefault("https://api.notion.com")),
    ...oauthClient("NOTION")
  }),
  /**
   * Slack: its address, and the operator's app. Without an app it cannot be connected. With `appToken` events come over a socket of ours, and need no public
   * address.
   */
  slack: Config.all({
    baseUrl: Config.String("SLACK_BASE_URL").pipe(Config.withDefault("https://slack.com")),
    signingSecret: Config.option(Config.Redacted("SLACK_SIGNING_SECRET")),
    appToken: Config.option(Config.Redacted("SLACK_APP_TOKEN")),
    ...oauthClient("SLACK")
  }),
  twilioBaseUrl: Config.String("TWILIO_BASE_URL").pipe(Config.withDefault("https://api.twilio.com")),
  /** The push service. Without the key of a service account no notifications are sent. */
  push: Config.all({
    serviceAccount: Config.option(Config.Redacted("FCM_SERVICE_ACCOUNT")),
    baseUrl: Config.String("FCM_BASE_URL").pipe(Config.withDefault("https://fcm.googleapis.com")),
    tokenUrl: Config.option(Config.String("FCM_TOKEN_URL"))
  }),
  humans: Config.all({
    ringSeconds: Config.Int("HUMAN_RING_SECONDS").pipe(Config.withDefault(escalationDefaults.ringSeconds)),
    maxWaitSeconds: Config.Int("HUMAN_QUEUE_MAX_WAIT_SECONDS").pipe(
      Config.withDefault(escalationDefaults.maxWaitSeconds)
    ),
    announceEverySeconds: Config.Int("HUMAN_QUEUE_ANNOUNCE_SECONDS").pipe(
      Config.withDefault(escalationDefaults.announceEverySeconds)
    )
  }),
  outbound: Config.all({
    callsPerSecond: Config.Number("OUTBOUND_CALLS_PER_SECOND").pipe(
      Config.withDefault(outboundDefaults.callsPerSecond)
    ),
    queueSeconds: Config.Int("OUTBOUND_QUEUE_SECONDS").pipe(Config.withDefault(outboundDefaults.queueSeconds)),
    ringSeconds: Config.Int("OUTBOUND_RING_SECONDS").pipe(Config.withDefault(outboundDefaults.ringSeconds)),
    machineDetection: Config.Boolean("OUTBOUND_MACHINE_DETECTION").pipe(
      Config.withDefault(outboundDefaults.machineDetection)
    )
  }),
  reasoningModels: list("REASONING_MODELS", "openai/gpt-oss-20b,openai/gpt-oss-120b"),
  /** Models that take pictures. None: no picture is shown to a model. */
  pictureModels: list("PICTURE_MODELS", ""),
  reasoningMaxTokens: Config.Int("REASONING_MAX_TOKENS").pipe(Config.withDefault(500)),
  speechToTextModels: nameMap("SPEECH_TO_TEXT_MODELS"),
  textToSpeechModels: nameMap("TEXT_TO_SPEECH_MODELS"),
  textToSpeechVoices: nameMap("TEXT_TO_SPEECH_VOICES"),
  /** The collector that spans go to. Without an endpoint no spans are made. */
  traces: Config.all({
    endpoint: Config.option(Config.String("OTEL_EXPORTER_OTLP_ENDPOINT")),
    headers: headers("OTEL_EXPORTER_OTLP_HEADERS"),
    serviceName: Config.String("OTEL_SERVICE_NAME").pipe(Config.withDefault("parley"))
  })
})

/** The settings as the environment has them, unchecked. */
export type Raw = Config.Success<typeof settings>

export interface Settings extends Omit<Raw, "engineSecret" | "worker" | "cluster"> {
  /** Undefined: this process owns all conversations. */
  readonly cluster: Cluster | undefined
  readonly engineSecret: Redacted.Redacted
  /** Which of the workers on this port this process is. Undefined: it is the only process. Ids start at 1. */
  readonly worker: Worker | undefined
}

export interface Worker {
  readonly id: number
  readonly of: number
  /** The port on which the app and the engine of this worker reach each other, never those of another worker. */
  readonly ownPort: number
}

export interface Cluster {
  /** The address that the other processes connect to. */
  readonly host: string
  readonly port: number
  readonly listenHost: string
}
