/** Shared by the repositories: the client bound to `tenant`, and the conversion of database values and errors into those of the domain. */
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { isoTime } from "../../../domain/basics/IsoTime.ts"
import { tenant, tenantApart, tenantAsOne } from "./Tenant.ts"

/** The client, and `tenant`, `tenantAsOne` and `tenantApart` with that client provided. Yield it once per repository. */
export const makeSql = Effect.map(PgClient.PgClient, (sql) => {
  const bound =
    (transaction: typeof tenant) =>
    (organizationId: string) =>
    <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E | SqlError.SqlError> =>
      transaction(organizationId)(effect).pipe(Effect.provideService(SqlClient.SqlClient, sql))
  return { sql, asTenant: bound(tenant), asTenantAsOne: bound(tenantAsOne), asTenantApart: bound(tenantApart) }
})

/** Carries a failure of the wrapped effect out of a transaction, distinguished from failures of the database. */
class Own<E> {
  readonly _tag = "Own"
  readonly error: E
  constructor(error: E) {
    this.error = error
  }
}

/** Runs `effect` inside `transaction`. Its failures roll the transaction back and stay failures; failures of the database become defects. */
export const within =
  (transaction: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E | SqlError.SqlError>) =>
  <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    transaction(
      // The database's own errors stay what they are: conflicts are recognized by them (`Conflicts.ts`).
      Effect.catch(effect, (error) => (SqlError.isSqlError(error) ? Effect.die(error) : Effect.fail(new Own(error))))
    ).pipe(Effect.catchTags({ SqlError: Effect.die, Own: ({ error }) => Effect.fail(error) }))

/** Handles a SqlError: a violation of this unique constraint becomes `failure`, every other error a defect. */
export const whenTaken =
  <E>(constraint: string, failure: () => E) =>
  (error: SqlError.SqlError): Effect.Effect<never, E> =>
    error.reason._tag === "UniqueViolation" && error.reason.constraint === constraint
      ? Effect.fail(failure())
      : Effect.die(error)

/** Waits until nobody else holds this name, and holds it until the transaction ends. */
export const holdName = (sql: SqlClient.SqlClient, name: string) =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`

/** ISO 8601 UTC with milliseconds. */
export const iso = (time: Date): string => isoTime(time.getTime())
export const isoOrNull = (time: Date | null): string | null => (time === null ? null : iso(time))
