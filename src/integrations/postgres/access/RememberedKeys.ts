/**
 * A cache of valid API keys, so that not every request queries the database. The database sends a notification for every change of a key
 * (`tell_of_api_key`), and each notification clears the whole cache. While the notification connection is down, nothing is cached. If notifications
 * do not arrive (behind a pooler that assigns connections per transaction), a revoked key stays valid for up to `lifetimeMs`.
 */
import { hash } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Layer, Queue, Schedule } from "effect"
import type { KeyPrincipal } from "../../../domain/people/access/Access.ts"
import { ApiKeys } from "../../../domain/people/access/ApiKey.ts"

const lifetimeMs = 5_000
const mostRemembered = 10_000

interface Remembered {
  readonly caller: KeyPrincipal
  readonly until: number
}

/** `ApiKeys` with a cache in front of the `ApiKeys` it needs. Holds one database connection for notifications. */
export const layer = Layer.effect(
  ApiKeys,
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    const sql = yield* PgClient.PgClient
    const known = new Map<string, Remembered>()
    /** The number of changes. A key that was read before a change is not cached after it. */
    let generation = 0
    let isListening = false

    const forget = () => {
      generation++
      known.clear()
    }
    const listen = Effect.gen(function* () {
      const changes = yield* sql.listen("parley_api_keys")
      // Changes before LISTEN sent no notification here.
      forget()
      isListening = true
      yield* Effect.forever(Effect.andThen(Queue.take(changes), Effect.sync(forget)))
    }).pipe(
      Effect.scoped,
      Effect.ensuring(
        Effect.sync(() => {
          isListening = false
          forget()
        })
      )
    )
    yield* listen.pipe(
      Effect.tapError((error) => Effect.logDebug("changes of API keys are not heard", error)),
      Effect.retry(Schedule.spaced("2 seconds")),
      Effect.forkScoped
    )

    return ApiKeys.of({
      ...keys,
      // This has no span of its own: nearly every request is answered from the cache. The database query has a span.
      authenticate: Effect.fnUntraced(function* (secret) {
        // The cache key is a hash, so the secret itself is not stored.
        const name = hash("sha256", secret, "base64")
        const now = yield* Clock.currentTimeMillis
        const found = known.get(name)
        if (found !== undefined && found.until > now) return found.caller
        const before = generation
        const caller = yield* keys.authenticate(secret)
        if (caller !== undefined && isListening && generation === before) {
          if (known.size >= mostRemembered) known.clear()
          known.set(name, { caller, until: Math.min(now + lifetimeMs, caller.validUntil ?? Number.POSITIVE_INFINITY) })
        }
        return caller
      }),
      revoke: (organizationId, keyId) => Effect.ensuring(keys.revoke(organizationId, keyId), Effect.sync(forget)),
      supersede: (organizationId, keyId, successorId, endsAt) =>
        Effect.ensuring(keys.supersede(organizationId, keyId, successorId, endsAt), Effect.sync(forget))
    })
  })
)
