/** A database that is away for a moment (restarted, failed over): who has not touched anything yet waits for it. */
import { Effect } from "effect"
import { SqlError } from "effect/sql"
import { retryPatiently, usualPatienceMs } from "../../resilience/Patience.ts"

/** No connection could be had (refused, starting up, full), or it was lost. */
const isUnreachable = (error: unknown): boolean =>
  SqlError.isSqlError(error) && (error.reason._tag === "ConnectionError" || error.reason.operation === "connect")

/**
 * The telephony provider waits 15 s for the answer to a webhook, and asks once more: whoever calls hears it ring meanwhile. So the first look of a
 * webhook waits for longer, and leaves time for two more of the usual patience. Milliseconds.
 */
export const webhookPatienceMs = 6_000

export interface OutlastingOptions {
  /** Whether nothing has been done yet. Default: always, as for reads. */
  readonly untouched?: () => boolean
  /** Milliseconds. Default 4,000. */
  readonly patienceMs?: number
}

/** Runs `effect` again when the database could not be reached, as long as there is patience and nothing has been done. */
export const outlasting = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  { untouched = () => true, patienceMs = usualPatienceMs }: OutlastingOptions = {}
): Effect.Effect<A, E | SqlError.SqlError, R> =>
  retryPatiently({ ms: patienceMs, again: (error) => untouched() && isUnreachable(error) }, () =>
    // What a transaction could not undo because its connection is gone is a defect.
    Effect.catchDefect(effect, (defect) =>
      SqlError.isSqlError(defect) && untouched() ? Effect.fail(defect) : Effect.die(defect)
    )
  )
