/**
 * Every query of a tenant's rows runs inside `tenant(id)`: a transaction in which row-level security knows the organization. A query that
 * forgets it sees no rows and can write none.
 */
import { Context, Effect, Option } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

/** The organization of the surrounding `tenant`, to notice a nested one of somebody else. */
class CurrentTenant extends Context.Service<CurrentTenant, string>()("parley/integrations/CurrentTenant") {}

/** Runs `effect` in one transaction as this organization; nested for the same organization it joins the outer transaction. */
export const tenant =
  (organizationId: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R | SqlClient.SqlClient> =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const outer = yield* Effect.serviceOption(CurrentTenant)
      if (Option.isSome(outer) && outer.value !== organizationId)
        return yield* Effect.die(new Error("A transaction of one organization may not touch another's rows"))
      // `true`: the setting ends with the transaction, so it cannot leak through the pool.
      const enter = sql`SELECT set_config('app.organization_id', ${organizationId}, true)`
      return yield* sql.withTransaction(
        Effect.andThen(enter, Effect.provideService(effect, CurrentTenant, organizationId))
      )
    })
