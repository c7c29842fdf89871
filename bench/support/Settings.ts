/** Settings that all services of benches have in common. */
import { randomBytes } from "node:crypto"
import { Effect, Option, Redacted } from "effect"
import * as Config from "../../src/config/Config.ts"
import type { Settings } from "../../src/config/Environment.ts"

/** What only the bench knows. */
type Own = Partial<Settings> & Pick<Settings, "dataDir" | "databaseUrl">

/** A provider at an address of the bench's; a service in production has a key for each. */
export const providerAt = (baseUrl: string): Settings["sarvam"] => ({
  baseUrl,
  key: Option.some(Redacted.make("bench"))
})

/** Nobody listens there. */
export const nowhere = "http://127.0.0.1:9"

/** For a service that nobody calls: it needs keys to start in production, and asks nobody. */
export const noProviders = {
  sarvam: providerAt(nowhere),
  deepgram: providerAt(nowhere),
  elevenLabs: providerAt(nowhere),
  reasoning: providerAt(nowhere),
  moderation: providerAt(nowhere)
} satisfies Partial<Settings>

/** The defaults, with secrets made anew, no Redis and no limit of requests; over them what is the bench's own. */
export const benchSettings = Effect.fnUntraced(function* (own: Own) {
  const settings: Settings = {
    ...(yield* Config.load),
    migrationDatabaseUrl: Option.none(),
    redisUrl: Option.none(),
    encryptionKeys: Option.some(Redacted.make(`bench:${randomBytes(32).toString("base64")}`)),
    engineSecret: Redacted.make(randomBytes(32).toString("hex")),
    requestsPerMinute: 0,
    ...own
  }
  return settings
})
