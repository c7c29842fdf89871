/**
 * Runs a transaction again when PostgreSQL has ended it to let another one go on: a deadlock (40P01), or a conflict with concurrent transactions
 * (40001). Nothing of it was stored then. So its effect must change nothing outside of the database: what happens after the commit is given to
 * `sql.afterCommit`. `tenant` and `outlasting` do this already. A single statement that locks several rows is given to `rerunning`.
 *
 * docs/locks.md says in which order rows are locked. Where that order is kept, nothing runs again. The counter shows where it is not kept.
 */
import { Cause, Effect, Metric, Option, Random } from "effect"
import { SqlError } from "effect/sql"
import { CurrentTenant } from "./CurrentTenant.ts"

/** How often a transaction is run again before its error is passed on. */
const most = 6
const firstPauseMs = 5

const conflicts = Metric.counter("parley_database_conflicts_total", {
  description:
    "Transactions that the database ended in favour of others, by kind (deadlock, serialization) and outcome (rerun, failed)",
  incremental: true
})

const kinds: Readonly<Record<string, string>> = { DeadlockError: "deadlock", SerializationError: "serialization" }

/** The kind of conflict that is the reason for this failure; undefined for any other failure. Repositories make defects of the database's errors. */
const conflictOf = (cause: Cause.Cause<unknown>): string | undefined => {
  if (Cause.hasInterrupts(cause)) return undefined
  for (const reason of cause.reasons) {
    const error = Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : undefined
    const kind = SqlError.isSqlError(error) ? kinds[error.reason._tag] : undefined
    if (kind !== undefined) return kind
  }
}

/** Before another attempt: 5 ms, doubled each time. Each pause is up to a half shorter, so that transactions that met do not meet again. */
const pause = (before: number) =>
  Effect.flatMap(Random.next, (random) => Effect.sleep(firstPauseMs * 2 ** before * (1 - random / 2)))

/** Runs a whole transaction, and again after a conflict, six times at most. As a part of a transaction it runs once: the whole would have to run. */
export const rerunning = <A, E, R>(transaction: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  const run = (before: number): Effect.Effect<A, E, R> =>
    Effect.catchCause(transaction, (cause) => {
      const kind = conflictOf(cause)
      if (kind === undefined) return Effect.failCause(cause)
      const count = (outcome: string) => Metric.update(Metric.withAttributes(conflicts, { kind, outcome }), 1)
      return before < most
        ? count("rerun").pipe(Effect.andThen(pause(before)), Effect.andThen(run(before + 1)))
        : Effect.andThen(count("failed"), Effect.failCause(cause))
    })
  return Effect.flatMap(Effect.serviceOption(CurrentTenant), (whole) => (Option.isSome(whole) ? transaction : run(0)))
}
