/**
 * Implements `Exclusive` by leases in Postgres. No connection is held during the work (which may wait for a provider), so any number of
 * organizations can work at the same time. The holder renews its lease; the lease of a holder that died runs out. Times are those of the database.
 *
 * Requests of one process wait in line for a turn, and only the first one polls the database. If a hundred polled, they would use all its
 * connections.
 */
import { randomUUID } from "node:crypto"
import { Clock, Effect, Layer, RcMap, Schedule, Semaphore } from "effect"
import { Busy, Exclusive } from "../../../domain/basics/Exclusive.ts"
import { makeSql } from "./Sql.ts"

export interface ExclusiveOptions {
  /** Milliseconds a lease outlives its holder; 10,000 by default. */
  readonly leaseMs?: number
  /** Milliseconds a request waits for its turn; 20,000 by default. */
  readonly waitMs?: number
}

const askAgainMs = 50

export const layer = (options: ExclusiveOptions = {}) =>
  Layer.effect(
    Exclusive,
    Effect.gen(function* () {
      const { sql, asTenant } = yield* makeSql
      const { leaseMs = 10_000, waitMs = 20_000 } = options

      const take = (organizationId: string, name: string, holder: string) =>
        asTenant(organizationId)(
          sql`INSERT INTO leases (organization_id, name, holder, expires_at)
            VALUES (${organizationId}, ${name}, ${holder}, clock_timestamp() + ${leaseMs} * interval '1 millisecond')
            ON CONFLICT (organization_id, name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
            WHERE leases.expires_at < clock_timestamp() OR leases.holder = excluded.holder RETURNING holder`
        ).pipe(
          Effect.orDie,
          Effect.filterOrFail(
            (rows) => rows.length > 0,
            () => new Busy({ name })
          )
        )

      const giveBack = (organizationId: string, name: string, holder: string) =>
        asTenant(organizationId)(sql`DELETE FROM leases WHERE name = ${name} AND holder = ${holder}`).pipe(
          // After a failure the lease runs out by itself.
          Effect.catch((cause) => Effect.logWarning("a lease could not be given back", { organizationId, name, cause }))
        )

      const lines = yield* RcMap.make({ lookup: (_turn: string) => Semaphore.make(1) })

      /** Takes the turn and keeps it until the scope closes. */
      const turn = Effect.fnUntraced(function* (organizationId: string, name: string) {
        const until = (yield* Clock.currentTimeMillis) + waitMs
        const line = yield* RcMap.get(lines, `${organizationId} ${name}`)
        yield* Semaphore.takeScoped(line, 1).pipe(
          Effect.timeoutOrElse({ duration: waitMs, orElse: () => Effect.fail(new Busy({ name })) })
        )
        const holder = randomUUID()
        const attempts = Math.ceil((until - (yield* Clock.currentTimeMillis)) / askAgainMs)
        const lease = take(organizationId, name, holder).pipe(
          Effect.retry(Schedule.max([Schedule.spaced(askAgainMs), Schedule.recurs(attempts)]))
        )
        yield* Effect.acquireRelease(lease, () => giveBack(organizationId, name, holder), { interruptible: true })
        const renew = take(organizationId, name, holder).pipe(Effect.delay(leaseMs / 3), Effect.forever)
        // A lost lease or an unreachable database does not stop the work.
        yield* Effect.forkScoped(Effect.exit(renew))
      })

      return Exclusive.of({
        run: (organizationId, name) => (effect) => Effect.scoped(Effect.andThen(turn(organizationId, name), effect))
      })
    })
  )
