/**
 * Every query of a tenant's rows runs inside `tenant(id)`: a transaction in which row-level security knows the organization. A query that
 * forgets it sees no rows and can write none.
 */
import { Context, Effect, Option } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { EventBell } from "../../domain/EventBell.ts"

/** The surrounding `tenant`: to notice a nested one of somebody else, and whether its readers are to be told when it is committed. */
export class CurrentTenant extends Context.Service<
  CurrentTenant,
  { readonly organizationId: string; tellsEvents: boolean }
>()("parley/integrations/CurrentTenant") {}

/**
 * A process that is frozen in the middle of a transaction does not keep the rows it has locked: the database ends the transaction. Longer than
 * anything of ours waits between two statements, but for `VoiceAgentsPostgres`, which says so.
 */
const frozenAfter = "8s"

const asTenant = Effect.fnUntraced(function* <A, E, R>(organizationId: string, effect: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient
  const outer = Option.getOrUndefined(yield* Effect.serviceOption(CurrentTenant))
  if (outer !== undefined && outer.organizationId !== organizationId)
    return yield* Effect.die(new Error("A transaction of one organization may not touch another's rows"))
  const current = outer ?? { organizationId, tellsEvents: false }
  // `true`: the settings end with the transaction, so they cannot leak through the pool. A nested one has them already.
  const enter: Effect.Effect<unknown, SqlError.SqlError> =
    outer === undefined
      ? sql`SELECT set_config('app.organization_id', ${organizationId}, true),
          set_config('idle_in_transaction_session_timeout', ${frozenAfter}, true)`
      : Effect.void
  const result = yield* sql.withTransaction(
    Effect.andThen(enter, Effect.provideService(effect, CurrentTenant, current))
  )
  // Behind the commit: whoever looks now finds it. (NOTIFY would put all commits of the database behind one lock.)
  if (outer === undefined && current.tellsEvents) (yield* EventBell).ring()
  return result
})

/** Runs `effect` in one transaction as this organization; nested for the same organization it joins the outer transaction. */
export const tenant =
  (organizationId: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R | SqlClient.SqlClient> =>
    asTenant(organizationId, effect)
