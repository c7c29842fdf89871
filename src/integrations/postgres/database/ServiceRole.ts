/**
 * As which role the service works. Row-level security does not bind superusers and roles with BYPASSRLS, so the service never uses
 * one: when the given URL names such a role, the service reconnects as `parley_app` (LOGIN and nothing else), which it creates. That
 * is sounder than `SET ROLE` on the administrator's connection, which any statement could undo with `RESET ROLE`.
 *
 * Several nodes share the role, so its password is derived from the administrator's: all of them know it, nobody stores it.
 */
import { createHmac } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { traced } from "../../../domain/basics/Traced.ts"

const serviceRole = "parley_app"

/** The database cannot be used; the message says what to change. */
export class DatabaseError extends Schema.TaggedError<DatabaseError>()("DatabaseError", {
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {}

export interface RoleFacts {
  readonly name: string
  /** True when the role, or one it may become, is not bound by row-level security. */
  readonly unbound: boolean
  readonly mayCreateRoles: boolean
}

/** What the connected role may do. */
export const roleFacts: Effect.Effect<RoleFacts, DatabaseError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [facts] = yield* sql<RoleFacts>`
    SELECT current_user::text AS name,
      (SELECT bool_or(rolsuper OR rolbypassrls) FROM pg_roles WHERE pg_has_role(current_user, oid, 'MEMBER')) AS unbound,
      (SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user) AS "mayCreateRoles"`
  return facts
}).pipe(
  Effect.mapError((cause) => new DatabaseError({ message: "The database did not say what the role may do.", cause }))
)

const derivedPassword = (adminUrl: URL): string | undefined =>
  adminUrl.password === ""
    ? undefined
    : createHmac("sha256", decodeURIComponent(adminUrl.password)).update(serviceRole).digest("hex")

/** The same server and database, as the service's role. */
export const serviceUrl = (admin: Redacted.Redacted): Redacted.Redacted => {
  const url = new URL(Redacted.value(admin))
  const password = derivedPassword(url)
  url.username = serviceRole
  url.password = password ?? ""
  return Redacted.make(url.toString())
}

/** Connects once as the role of `url`; fails when that is impossible. */
const connects = (url: Redacted.Redacted) =>
  roleFacts.pipe(Effect.provide(PgClient.layer({ url, maxConnections: 1, connectTimeout: "10 seconds" })))

/**
 * Makes sure that the service's role exists and can log in; needs an administrator's connection. Only what is missing is changed, as
 * roles belong to the whole server and concurrent changes of one fail.
 */
export const ensureServiceRole = traced("ServiceRole.ensure")(
  function* (admin: Redacted.Redacted) {
    const sql = yield* SqlClient.SqlClient
    const password = derivedPassword(new URL(Redacted.value(admin)))
    const url = serviceUrl(admin)
    const known = yield* sql`SELECT 1 AS found FROM pg_roles WHERE rolname = ${serviceRole}`
    if (known.length > 0 && (yield* Effect.isSuccess(connects(url)))) return url
    // A role cannot be a parameter, nor its password; the password is hexadecimal.
    const login = `LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE ${password === undefined ? "" : `PASSWORD '${password}'`}`
    if (known.length === 0) yield* sql.unsafe(`CREATE ROLE ${serviceRole} ${login}`)
    else yield* sql.unsafe(`ALTER ROLE ${serviceRole} ${login}`)
    return url
  },
  Effect.retry({ times: 3 }),
  Effect.mapError(
    (cause) =>
      new DatabaseError({ message: `The role ${serviceRole} could not be created or given a password.`, cause })
  )
)
