import { randomBytes } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Option, Redacted } from "effect"
import * as Config from "../../src/config/Config.ts"
import { workersRefusal } from "../../src/config/ConfigChecks.ts"
import type { Purpose } from "../../src/config/Environment.ts"

type Environment = Readonly<Record<string, string>>

const read = (env: Environment, purpose: Purpose = "all") =>
  Config.loadFor(purpose).pipe(Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env })))

/** The message with which a process that is started with these settings stops. */
const complaint = (env: Environment, purpose?: Purpose) =>
  Effect.map(Effect.flip(read(env, purpose)), ({ message }) => message)

const production: Environment = {
  NODE_ENV: "production",
  ENCRYPTION_KEYS: `one:${randomBytes(32).toString("base64")}`,
  ENGINE_WS_SECRET: randomBytes(32).toString("hex"),
  PUBLIC_BASE_URL: "https://voice.example.com",
  DATABASE_URL: "postgres://parley@db.example.com/parley",
  SARVAM_API_KEY: "s",
  REASONING_API_KEY: "r",
  MODERATION_API_KEY: "m"
}

const linked: Environment = {
  MEDIA_LINKS: "tls://a:1",
  MEDIA_LINK_CERT: "/nowhere/c.pem",
  MEDIA_LINK_KEY: "/nowhere/k.pem",
  MEDIA_LINK_CA: "/nowhere/ca.pem"
}

describe("settings", () => {
  it.effect("need nothing in development, where each process generates a secret of its own", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* read({}), yield* read({})]
      assert.strictEqual(one.host, "127.0.0.1")
      assert.isTrue(Option.isNone(one.databaseUrl))
      assert.notStrictEqual(Redacted.value(one.engineSecret), Redacted.value(other.engineSecret))
    })
  )

  it.effect("have no defaults for secrets and providers in production: each missing one is named", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* read(production)).environment, "production")
      for (const name of Object.keys(production).filter((name) => name !== "NODE_ENV")) {
        const { [name]: _, ...rest } = production
        assert.match(yield* complaint(rest), new RegExp(`^${name} is required in production`))
      }
    })
  )

  it.effect("take no secret that could be guessed in production, and say how to make a good one", () =>
    Effect.gen(function* () {
      const counting = Buffer.from(Array.from({ length: 32 }, (_, n) => n))
      const weak: ReadonlyArray<readonly [Environment, RegExp]> = [
        ...["a", "a".repeat(64), "ab".repeat(32), "0".repeat(64), "secret", "0123456789abcdef".repeat(4)].map(
          (secret) => [{ ENGINE_WS_SECRET: secret }, /^ENGINE_WS_SECRET .*openssl rand -hex 32/] as const
        ),
        ...[Buffer.alloc(32), Buffer.alloc(32, "ab"), counting, Buffer.alloc(32, randomBytes(16))].map(
          (key) =>
            [
              { ENCRYPTION_KEYS: `k1:${key.toString("base64")}` },
              /^ENCRYPTION_KEYS: key k1 .*openssl rand -base64 32/
            ] as const
        ),
        ...["0.0.0.0/0", "::/0", "0.0.0.0/1", "127.0.0.1,128.0.0.0/1", "2000::/3", "::ffff:0.0.0.0/96", "::/64"].map(
          (networks) => [{ TRUSTED_PROXIES: networks }, /^TRUSTED_PROXIES: .*strangers.*Name the addresses/] as const
        )
      ]
      for (const [env, sentence] of weak) {
        const message = yield* complaint({ ...production, ...env })
        assert.match(message, sentence, JSON.stringify(env))
        // In development they hurt nobody.
        yield* read({ ...env, NODE_ENV: "development" })
      }
      const good = [
        { TRUSTED_PROXIES: "10.0.0.0/8,fd00::/8,2001:db8::/32,192.0.2.1" },
        { ENCRYPTION_KEYS: `k2:${randomBytes(32).toString("base64")},k1:${Buffer.alloc(32).toString("base64")}` },
        { ENGINE_WS_SECRET: randomBytes(24).toString("base64") }
      ]
      for (const env of good) yield* read({ ...production, ...env })
    })
  )

  it.effect("allow production without a database and provider keys only when that is stated", () =>
    Effect.gen(function* () {
      const {
        DATABASE_URL: _,
        SARVAM_API_KEY: __,
        REASONING_API_KEY: ___,
        MODERATION_API_KEY: ____,
        ...rest
      } = production
      assert.isTrue((yield* read({ ...rest, ALLOW_EMBEDDED_DEFAULTS: "true" })).allowEmbedded)
    })
  )

  const without = (...names: ReadonlyArray<string>) =>
    Object.fromEntries(Object.entries(production).filter(([name]) => !names.includes(name)))
  const providerKeys = ["SARVAM_API_KEY", "REASONING_API_KEY", "MODERATION_API_KEY"]
  const alone: ReadonlyArray<readonly [Purpose, Environment]> = [
    [
      "engine",
      {
        ...without("DATABASE_URL", "ENCRYPTION_KEYS", "PUBLIC_BASE_URL"),
        STREAM_URL: "wss://calls.example.com/media",
        APP_BASE_URL: "https://app.internal"
      }
    ],
    ["app", { ...without(...providerKeys), ENGINE_BASE_URL: "https://engine.internal" }],
    ["administration", without(...providerKeys)]
  ]
  for (const [purpose, env] of alone)
    it.effect(`need in production only what ${purpose} uses`, () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* read(env, purpose)).environment, "production")
        for (const name of Object.keys(env).filter((name) => name !== "NODE_ENV")) {
          const { [name]: _, ...rest } = env
          const said = yield* complaint(rest, purpose)
          assert.isTrue(said.startsWith(name) && said.includes("is required in production"), said)
        }
      })
    )

  it.effect("need no database for workers that run only engines", () =>
    Effect.gen(function* () {
      const rest = { ...without("DATABASE_URL"), APP_BASE_URL: "https://app.internal" }
      // The port is the parent's: it gives each worker one.
      const settings = yield* read({ ...rest, REDIS_URL: "redis://127.0.0.1", CLUSTER_PORT: "1" }, "engine")
      assert.isUndefined(workersRefusal(settings, 2, "engine"))
      assert.match(workersRefusal(settings, 2, "all") ?? "", /^Several workers need DATABASE_URL/)
      const keyless = { ...without("DATABASE_URL", "ENCRYPTION_KEYS"), APP_BASE_URL: "https://app.internal" }
      const open = yield* read({ ...keyless, REDIS_URL: "redis://127.0.0.1" }, "engine")
      assert.match(workersRefusal(open, 2, "engine") ?? "", /^Several workers need ENCRYPTION_KEYS/)
    })
  )

  const wrong: ReadonlyArray<readonly [Environment, RegExp]> = [
    [{ PORT: "99999" }, /^A setting is wrong: .*PORT/s],
    [{ MAX_CALLS: "many" }, /^A setting is wrong: .*MAX_CALLS/s],
    [{ MAX_CALLS: "0" }, /^MAX_CALLS must be at least 1\.$/],
    [{ MAX_LATENESS_MS: "0" }, /^MAX_LATENESS_MS must be at least 1\.$/],
    [{ DRAIN_SECONDS: "-1" }, /^DRAIN_SECONDS must be at least 0\.$/],
    [{ RATE_LIMIT_PER_MINUTE: "-1" }, /^RATE_LIMIT_PER_MINUTE must be at least 0\.$/],
    [{ MESSAGES_PER_SECOND: "0" }, /^MESSAGES_PER_SECOND must be from 1 to 1000\.$/],
    [{ MESSAGES_PER_SECOND: "1001" }, /^MESSAGES_PER_SECOND must be from 1 to 1000\.$/],
    [{ BROADCASTS_PER_SECOND: "0" }, /^BROADCASTS_PER_SECOND must be from 1 to 1000\.$/],
    [{ HUMAN_QUEUE_MAX_WAIT_SECONDS: "0" }, /^HUMAN_QUEUE_MAX_WAIT_SECONDS must be at least 1\.$/],
    [{ OUTBOUND_RING_SECONDS: "4" }, /^OUTBOUND_RING_SECONDS must be from 5 to 600\.$/],
    [{ OUTBOUND_CALLS_PER_SECOND: "0" }, /^OUTBOUND_CALLS_PER_SECOND must be above 0 and at most 100\.$/],
    [
      { PUBLIC_BASE_URL: "https://voice.example.com/" },
      /^PUBLIC_BASE_URL must look like .*, without a path or trailing slash\.$/
    ],
    [{ STREAM_URL: "https://voice.example.com/media" }, /^STREAM_URL must look like/],
    [{ MESSAGING_API_VERSION: "23" }, /^MESSAGING_API_VERSION must look like v23\.0\.$/],
    // A number that is not understood would start a single process.
    [{ PARLEY_WORKER: "2" }, /^PARLEY_WORKER is set by the supervisor \(--workers\) and must look like 2\/4:40123/],
    [{ PARLEY_WORKER: "2/4:port" }, /^PARLEY_WORKER is set by the supervisor/],
    [{ ENCRYPTION_KEYS: "hidden" }, /^ENCRYPTION_KEYS has no id:base64 at position 1\.$/],
    [{ ENCRYPTION_KEYS: "one:aGlkZGVu" }, /^ENCRYPTION_KEYS: key one has 6 bytes instead of 32\.$/],
    [{ HUBSPOT_CLIENT_ID: "app" }, /^HUBSPOT_CLIENT_ID and HUBSPOT_CLIENT_SECRET belong together/],
    [{ SALESFORCE_CLIENT_ID: "app" }, /^SALESFORCE_CLIENT_ID and SALESFORCE_CLIENT_SECRET belong together/],
    [{ TWILIO_ACCOUNT_SID: "AC1" }, /^TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN belong together/],
    [{ OBJECT_STORAGE_ENDPOINT: "https://s3.example.com" }, /^OBJECT_STORAGE_BUCKET is required/],
    [{ OBJECT_STORAGE_BUCKET: "b", OBJECT_STORAGE_ACCESS_KEY_ID: "k" }, /belong together: set both or neither\.$/],
    [{ PORT: "8080", INTERNAL_PORT: "8080" }, /^INTERNAL_PORT must be another port than PORT/],
    [{ MEDIA_LINK_CERT: "/c.pem" }, /^MEDIA_LINK_CERT, MEDIA_LINK_KEY and MEDIA_LINK_CA need MEDIA_LINKS/],
    [{ MEDIA_LINKS: "media.example.com:8443" }, /^MEDIA_LINKS: media\.example\.com:8443 must look like tls:/],
    [{ MEDIA_LINKS: "tls://media.example.com" }, /^MEDIA_LINKS: .* with a port and nothing behind it\.$/],
    [{ MEDIA_LINKS: "tls://a:1,tls://b:1,tls://a:1" }, /^MEDIA_LINKS names tls:\/\/a:1 twice\.$/],
    [{ MEDIA_LINKS: "tls://a:1", MEDIA_LINK_CERT: "/c.pem" }, /^MEDIA_LINKS needs MEDIA_LINK_CERT, MEDIA_LINK_KEY and/],
    [linked, /^MEDIA_LINKS needs STREAM_URL/],
    [{ ...linked, STREAM_URL: "wss://voice.example.com/media" }, /^MEDIA_LINKS: \/nowhere\/c\.pem cannot be read: /],
    [{ CLUSTER_HOST: "10.0.0.4" }, /^CLUSTER_HOST and CLUSTER_PORT need DATABASE_URL/],
    [{ CLUSTER_LISTEN_HOST: "0.0.0.0" }, /^CLUSTER_LISTEN_HOST needs CLUSTER_HOST/],
    ...[
      "SARVAM_BASE_URL",
      "SARVAM_SPEECH_TO_TEXT_BASE_URL",
      "DEEPGRAM_BASE_URL",
      "ELEVENLABS_BASE_URL",
      "REASONING_BASE_URL",
      "MODERATION_BASE_URL",
      "TWILIO_BASE_URL",
      "SHOPIFY_BASE_URL",
      "FCM_BASE_URL",
      "FCM_TOKEN_URL"
    ].flatMap((name): ReadonlyArray<readonly [Environment, RegExp]> => {
      const sentence = new RegExp(`^${name} must look like https://api.example.com/v1, without a trailing slash\\.$`)
      return [
        [{ [name]: "api.example.com" }, sentence],
        [{ [name]: "https://api.example.com/v1/" }, sentence]
      ]
    }),
    [{ DATABASE_URL: "db.example.com" }, /^DATABASE_URL must look like postgres:/],
    [{ REDIS_URL: "127.0.0.1:6379" }, /^REDIS_URL must look like redis:/],
    [
      { MIGRATION_DATABASE_URL: "postgres://owner@db.example.com/parley" },
      /^MIGRATION_DATABASE_URL needs DATABASE_URL/
    ],
    [{ REASONING_MAX_TOKENS: "0" }, /^REASONING_MAX_TOKENS must be at least 1\.$/],
    [{ REASONING_MODELS: " , " }, /^REASONING_MODELS must name one model at least\.$/],
    [{ SPEECH_TO_TEXT_MODELS: "a=b,saaras:v3" }, /^SPEECH_TO_TEXT_MODELS must be name=name.*saaras:v3/],
    [{ TEXT_TO_SPEECH_MODELS: "=theirs" }, /^TEXT_TO_SPEECH_MODELS must be/],
    [{ TEXT_TO_SPEECH_VOICES: "ours=" }, /^TEXT_TO_SPEECH_VOICES must be/],
    [{ TRUSTED_PROXIES: "10.0.0.0/99" }, /^TRUSTED_PROXIES: /],
    [{ FCM_SERVICE_ACCOUNT: "{}" }, /./]
  ]
  it.effect("stop the start with a sentence that names the wrong one", () =>
    Effect.gen(function* () {
      const secret = "mysql://parley:hidden@db.example.com/parley"
      assert.notInclude(yield* complaint({ DATABASE_URL: secret }), "hidden")
      for (const [env, sentence] of wrong) assert.match(yield* complaint(env), sentence, JSON.stringify(env))
    })
  )

  it.effect("may have an = inside the names of models and voices, and spaces around them", () =>
    Effect.gen(function* () {
      const { textToSpeechVoices } = yield* read({ TEXT_TO_SPEECH_VOICES: " ours = theirs=v2 , other=another," })
      assert.deepStrictEqual(textToSpeechVoices, { ours: "theirs=v2", other: "another" })
    })
  )

  it.effect("allow a thousand messages a second for a number that the channel has raised", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* read({})).messagesPerSecond, 80)
      assert.strictEqual((yield* read({ MESSAGES_PER_SECOND: "1000" })).messagesPerSecond, 1_000)
    })
  )
})
