/** What the repositories share: their client bound to `tenant`, and how database values and errors become the domain's. */
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { isoTime } from "../../../domain/basics/IsoTime.ts"
import { tenant, tenantApart, tenantAsOne } from "./Tenant.ts"

/** The client, and `asTenant(organizationId)(effect)`, which needs nothing else, with its two kin. Yield once per repository. */
export const makeSql = Effect.map(PgClient.PgClient, (sql) => {
  const bound =
    (transaction: typeof tenant) =>
    (organizationId: string) =>
    <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E | SqlError.SqlError> =>
      transaction(organizationId)(effect).pipe(Effect.provideService(SqlClient.SqlClient, sql))
  return { sql, asTenant: bound(tenant), asTenantAsOne: bound(tenantAsOne), asTenantApart: bound(tenantApart) }
})

/** Carries a failure of one's own out of a transaction, apart from the database's. */
class Own<E> {
  readonly _tag = "Own"
  readonly error: E
  constructor(error: E) {
    this.error = error
  }
}

/** `effect` inside `transaction`: its failures undo the transaction and come out as they are, those of the database are defects. */
export const within =
  (transaction: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E | SqlError.SqlError>) =>
  <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    transaction(Effect.mapError(effect, (error) => new Own(error))).pipe(
      Effect.catchTags({ SqlError: Effect.die, Own: ({ error }) => Effect.fail(error) })
    )

/** Handler of a SqlError: the violation of this unique constraint is an expected failure, everything else a defect. */
export const whenTaken =
  <E>(constraint: string, failure: () => E) =>
  (error: SqlError.SqlError): Effect.Effect<never, E> =>
    error.reason._tag === "UniqueViolation" && error.reason.constraint === constraint
      ? Effect.fail(failure())
      : Effect.die(error)

/** ISO 8601 UTC with milliseconds. */
export const iso = (time: Date): string => isoTime(time.getTime())
export const isoOrNull = (time: Date | null): string | null => (time === null ? null : iso(time))
