/**
 * API keys that were good a moment ago, so that not every request asks the database. Every change of a key is told by the database
 * (`tell_of_api_key`), and forgets all of them here; without that connection nothing is remembered. Where notices do not come through (a pooler that hands
 * connections out per transaction) a revoked key is good for `lifetimeMs` more.
 */
import { hash } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Layer, Queue, Schedule } from "effect"
import { ApiKeys, type KeyPrincipal } from "../../../domain/people/access/Access.ts"

const lifetimeMs = 5_000
const mostRemembered = 10_000

interface Remembered {
  readonly caller: KeyPrincipal
  readonly until: number
}

/** Needs the ApiKeys it stands in front of. Keeps a connection of its own while it lives. */
export const layer = Layer.effect(
  ApiKeys,
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    const sql = yield* PgClient.PgClient
    const known = new Map<string, Remembered>()
    /** Counts changes: what was read before one is not remembered after it. */
    let generation = 0
    let hears = false

    const forget = () => {
      generation++
      known.clear()
    }
    const listen = Effect.gen(function* () {
      const changes = yield* sql.listen("parley_api_keys")
      // What changed before somebody listened was not heard.
      forget()
      hears = true
      yield* Effect.forever(Effect.andThen(Queue.take(changes), Effect.sync(forget)))
    }).pipe(
      Effect.scoped,
      Effect.ensuring(
        Effect.sync(() => {
          hears = false
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
      // No span of its own: nearly every request ends here, and there is nothing to see. Asking the database has one.
      authenticate: Effect.fnUntraced(function* (secret) {
        // The secret itself is not kept.
        const name = hash("sha256", secret, "base64")
        const now = yield* Clock.currentTimeMillis
        const found = known.get(name)
        if (found !== undefined && found.until > now) return found.caller
        const before = generation
        const caller = yield* keys.authenticate(secret)
        if (caller !== undefined && hears && generation === before) {
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
