/**
 * Every query of a tenant's rows runs inside `tenant(id)`: a transaction in which row-level security knows the organization. A query outside
 * `tenant` sees no rows and can write none.
 */
import { Effect, Option } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { EventWakeUp } from "../../../domain/events/EventWakeUp.ts"
import { CurrentTenant } from "./CurrentTenant.ts"
import { outlasting } from "./Unreachable.ts"

/** How a transaction treats nested and surrounding transactions: see `tenant`, `tenantAsOne` and `tenantApart`. */
type Bond = "parts" | "one" | "apart"

/**
 * If a process freezes inside a transaction, the database ends the transaction after this time, so that its row locks are freed. The time is longer
 * than any pause of the service between two statements.
 */
const frozenAfter = "8s"

/** Runs a part of a `tenantAsOne` transaction. The part joins the transaction, and its failure fails the whole. */
const join = <A, E, R>(effect: Effect.Effect<A, E, R>, whole: CurrentTenant["Service"]) =>
  Effect.onError(effect, () =>
    Effect.sync(() => {
      whole.broken = true
    })
  )

const asTenant = Effect.fnUntraced(function* <A, E, R>(
  organizationId: string,
  effect: Effect.Effect<A, E, R>,
  bond: Bond
) {
  const sql = yield* SqlClient.SqlClient
  const outer = Option.getOrUndefined(yield* Effect.serviceOption(CurrentTenant))
  if (outer !== undefined && outer.organizationId !== organizationId)
    return yield* Effect.die(new Error("A transaction of one organization may not touch another's rows"))
  if (outer?.isOne === true && bond !== "apart") return yield* join(effect, outer)
  let current = { organizationId, isOne: bond === "one", broken: false, tellsEvents: false }
  // With `true` the settings end with the transaction, so they cannot leak through the pool. A nested transaction has them already.
  const enter: Effect.Effect<unknown, SqlError.SqlError> =
    outer === undefined
      ? sql`SELECT set_config('app.organization_id', ${organizationId}, true),
          set_config('idle_in_transaction_session_timeout', ${frozenAfter}, true)`
      : Effect.void
  // If the code goes on after a part failed, a commit would keep only half of the changes.
  const unbroken = Effect.suspend(() =>
    current.broken ? Effect.die(new Error("A part of a transaction failed, and the rest went on")) : Effect.void
  )
  let touched = false
  const within = Effect.suspend(() => {
    touched = true
    return Effect.provideService(effect, CurrentTenant, current)
  })
  // After a conflict the whole runs again, and begins with nothing done (`Conflicts.ts`).
  const transaction = Effect.suspend(() => {
    current = { ...current, broken: false, tellsEvents: false }
    touched = false
    return sql.withTransaction(Effect.andThen(enter, Effect.tap(within, unbroken)))
  })
  const result = yield* outer === undefined ? outlasting(transaction, { untouched: () => !touched }) : transaction
  if (!current.tellsEvents) return result
  // Readers are woken after the commit, so that they find the events. NOTIFY would put all commits of the database behind one lock.
  if (outer === undefined) (yield* EventWakeUp).wake()
  else outer.tellsEvents = true
  return result
})

const tenantWith =
  (bond: Bond) =>
  (organizationId: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R | SqlClient.SqlClient> =>
    asTenant(organizationId, effect, bond)

/**
 * Runs `effect` in one transaction as this organization, and again when the database has ended it in favour of another one: so `effect` changes
 * nothing outside of the database. Nested for the same organization it becomes a part of the outer transaction, and can fail
 * alone. Dies when nested in a transaction of another organization.
 */
export const tenant = tenantWith("parts")

/** Like `tenant`, but nested parts cannot fail alone: the transaction dies when a part failed and the code went on. */
export const tenantAsOne = tenantWith("one")

/** Like `tenant`, but it can fail alone even within `tenantAsOne`. */
export const tenantApart = tenantWith("apart")
