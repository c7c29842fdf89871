/**
 * Runs a transaction again when PostgreSQL has ended it to let another one go on: a deadlock (40P01), or a conflict with concurrent transactions
 * (40001). Also when a
 * newer version has changed a table beside this process, so that a statement that was prepared before has other columns now (0A000). Nothing of it was stored then. So its effect must change nothing outside of the database: what happens after the commit is given to
 * `sql.afterCommit`. `tenant` and `outlasting` do this already. A single statement that locks several rows is given to `rerunning`.
 *
 * docs/locks.md says in which order rows are locked. Where that order is kept, nothing runs again. The counter shows where it is not kept.
 */
import { Cause, Effect, Metric, Option, Random } from "effect"
import { SqlError } from "effect/sql"
import { CurrentTenant } from "./CurrentTenant.ts"

/** How often a transaction is run again before its error is passed on. */
const most = 6
/** After a change of a table each connection forgets each statement that it had prepared, one at a time. */
const mostForgotten = 200
const firstPauseMs = 5

const conflicts = Metric.counter("parley_database_conflicts_total", {
  description:
    "Transactions that the database ended in favour of others, by kind (deadlock, serialization, plan) and outcome (rerun, failed)",
  incremental: true
})

const kinds: Readonly<Record<string, string>> = { DeadlockError: "deadlock", SerializationError: "serialization" }

/** The statement was prepared before a table was changed. The client has forgotten it, and prepares it anew the next time. */
const isOutdated = ({ cause }: SqlError.SqlError["reason"]): boolean =>
  typeof cause === "object" &&
  cause !== null &&
  "code" in cause &&
  cause.code === "0A000" &&
  "routine" in cause &&
  cause.routine === "RevalidateCachedQuery"

/** The kind of conflict that is the reason for this failure; undefined for any other failure. Repositories make defects of the database's errors. */
const conflictOf = (cause: Cause.Cause<unknown>): string | undefined => {
  if (Cause.hasInterrupts(cause)) return undefined
  for (const reason of cause.reasons) {
    const error = Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : undefined
    if (!SqlError.isSqlError(error)) continue
    const kind = isOutdated(error.reason) ? "plan" : kinds[error.reason._tag]
    if (kind !== undefined) return kind
  }
}

/** Before another attempt: 5 ms, doubled each time. Each pause is up to a half shorter, so that transactions that met do not meet again. */
const pause = (before: number) =>
  Effect.flatMap(Random.next, (random) => Effect.sleep(firstPauseMs * 2 ** before * (1 - random / 2)))

/** Runs a whole transaction, and again after a conflict, six times at most; without a pause where only plans were outdated. As a part of a transaction it runs once: the whole would have to run. */
export const rerunning = <A, E, R>(transaction: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  const run = (before: number): Effect.Effect<A, E, R> =>
    Effect.catchCause(transaction, (cause) => {
      const kind = conflictOf(cause)
      if (kind === undefined) return Effect.failCause(cause)
      const count = (outcome: string) => Metric.update(Metric.withAttributes(conflicts, { kind, outcome }), 1)
      const isPlan = kind === "plan"
      return before < (isPlan ? mostForgotten : most)
        ? count("rerun").pipe(Effect.andThen(isPlan ? Effect.void : pause(before)), Effect.andThen(run(before + 1)))
        : Effect.andThen(count("failed"), Effect.failCause(cause))
    })
  return Effect.flatMap(Effect.serviceOption(CurrentTenant), (whole) => (Option.isSome(whole) ? transaction : run(0)))
}
