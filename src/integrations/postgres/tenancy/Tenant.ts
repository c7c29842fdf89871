/**
 * Every query of a tenant's rows runs inside `tenant(id)`: a transaction in which row-level security knows the organization. A query that
 * forgets it sees no rows and can write none.
 */
import { Context, Effect, Option } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { EventWakeUp } from "../../../domain/events/EventWakeUp.ts"
import { outlasting } from "./Unreachable.ts"

interface Transaction {
  readonly organizationId: string
  /** What fails in it undoes all of it, so its parts have no savepoints: each is two round trips. */
  readonly isOne: boolean
  /** A part of it has failed. */
  broken: boolean
  /** Its readers are to be told when it is committed. */
  tellsEvents: boolean
}

/** The surrounding `tenant`: to notice a nested one of somebody else, and what is to happen at its end. */
export class CurrentTenant extends Context.Service<CurrentTenant, Transaction>()("parley/integrations/CurrentTenant") {}

/** How a transaction stands to those within it, and to the one around it. */
type Bond = "parts" | "one" | "apart"

/**
 * A process that is frozen in the middle of a transaction does not keep the rows it has locked: the database ends the transaction. Longer than
 * anything of ours waits between two statements.
 */
const frozenAfter = "8s"

/** A part of a transaction that is one: it joins, and its failure is the whole's. */
const join = <A, E, R>(effect: Effect.Effect<A, E, R>, whole: Transaction) =>
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
  const current = { organizationId, isOne: bond === "one", broken: false, tellsEvents: false }
  // `true`: the settings end with the transaction, so they cannot leak through the pool. A nested one has them already.
  const enter: Effect.Effect<unknown, SqlError.SqlError> =
    outer === undefined
      ? sql`SELECT set_config('app.organization_id', ${organizationId}, true),
          set_config('idle_in_transaction_session_timeout', ${frozenAfter}, true)`
      : Effect.void
  // Whoever goes on after a part failed would keep half of it.
  const unbroken = Effect.suspend(() =>
    current.broken ? Effect.die(new Error("A part of a transaction failed, and the rest went on")) : Effect.void
  )
  let touched = false
  const within = Effect.suspend(() => {
    touched = true
    return Effect.provideService(effect, CurrentTenant, current)
  })
  const transaction = sql.withTransaction(Effect.andThen(enter, Effect.tap(within, unbroken)))
  const result = yield* outer === undefined ? outlasting(transaction, { untouched: () => !touched }) : transaction
  if (!current.tellsEvents) return result
  // Behind the commit: whoever looks now finds it. (NOTIFY would put all commits of the database behind one lock.)
  if (outer === undefined) (yield* EventWakeUp).wake()
  else outer.tellsEvents = true
  return result
})

const tenantWith =
  (bond: Bond) =>
  (organizationId: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R | SqlClient.SqlClient> =>
    asTenant(organizationId, effect, bond)

/** Runs `effect` in one transaction as this organization; nested for the same organization it joins the outer transaction, and can fail alone. */
export const tenant = tenantWith("parts")

/** The same, where parts cannot fail alone: it dies when one did and the rest went on. */
export const tenantAsOne = tenantWith("one")

/** The same, but it can fail alone also within `tenantAsOne`. */
export const tenantApart = tenantWith("apart")
