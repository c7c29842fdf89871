/** Retries while the database is unreachable for a moment (restart, failover), as long as nothing has been done yet, and after conflicts. */
import { Effect } from "effect"
import { SqlError } from "effect/sql"
import { retryPatiently, usualPatienceMs } from "../../resilience/Patience.ts"
import { rerunning } from "./Conflicts.ts"

/** Whether a connection failed (refused, starting up, too many connections) or was lost. */
const isUnreachable = (error: unknown): boolean =>
  SqlError.isSqlError(error) && (error.reason._tag === "ConnectionError" || error.reason.operation === "connect")

/**
 * Milliseconds that the first query of a telephony webhook retries. The provider waits 15 s for the response to a webhook and then retries once; the
 * caller hears ringing meanwhile. So the first query may take longer than usual, and still leaves time for two more queries of the usual patience.
 */
export const webhookPatienceMs = 6_000

export interface OutlastingOptions {
  /** Gives whether nothing has been done yet. Default: always true, as for reads. */
  readonly untouched?: () => boolean
  /** Milliseconds to keep retrying. Default 4,000. */
  readonly patienceMs?: number
}

/**
 * Runs `effect`, and again while the database is unreachable, for `patienceMs` at most and only while nothing has been done. After a conflict with
 * another transaction it also runs again (`Conflicts.ts`).
 */
export const outlasting = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  { untouched = () => true, patienceMs = usualPatienceMs }: OutlastingOptions = {}
): Effect.Effect<A, E | SqlError.SqlError, R> =>
  retryPatiently({ ms: patienceMs, again: (error) => untouched() && isUnreachable(error) }, () =>
    // If a transaction cannot roll back because its connection is lost, the error is a defect.
    Effect.catchDefect(rerunning(effect), (defect) =>
      SqlError.isSqlError(defect) && untouched() ? Effect.fail(defect) : Effect.die(defect)
    )
  )
