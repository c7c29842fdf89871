/**
 * The connection of the service to its database. Before it is given out: the schema is migrated by its owner (one process at a time),
 * the service's role is chosen (`ServiceRole.ts`) and granted what it needs, and a role that row-level security does not bind is refused.
 */
import type { Duplex } from "node:stream"
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, type Redacted, String as Str } from "effect"
import { SqlRunnerStorage } from "effect/cluster"
import { SqlClient, type SqlError } from "effect/sql"
import { RecordsSilence } from "../../../domain/basics/RecordsSilence.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { exclusively, migrate } from "./Migrations.ts"
import { DatabaseError, ensureServiceRole, roleFacts } from "./ServiceRole.ts"
import * as SocketWatch from "./SocketWatch.ts"

export interface DatabaseOptions {
  /** An administrator's URL, or that of a plain role which then is the service's. */
  readonly url: Redacted.Redacted
  /** The owner of the schema, when it is another role than the one in `url`. */
  readonly migrationUrl?: Redacted.Redacted
  /** Size of the connection pool. Default 20. */
  readonly maxConnections?: number
}

const session = (url: Redacted.Redacted) =>
  PgClient.layerFrom(PgClient.makeClient({ url, connectTimeout: "10 seconds" }))

const unreachable = (cause: SqlError.SqlError) =>
  new DatabaseError({ message: `The database cannot be reached: ${cause.message}`, cause })

const unmigrated = (cause: Error) =>
  new DatabaseError({ message: `The database could not be migrated: ${cause.message}`, cause })

/** Lets `role` read and write rows, and nothing else; what happened stays as it was written. */
const grantTo = traced("Database.grant")(function* (role: string) {
  const sql = yield* SqlClient.SqlClient
  const to = sql(role)
  yield* sql`GRANT USAGE ON SCHEMA public TO ${to}`
  yield* sql`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${to}`
  yield* sql`REVOKE INSERT, UPDATE, DELETE ON parley_migrations, parley_functions, cluster_runner_migrations FROM ${to}`
  yield* sql`GRANT USAGE ON SEQUENCE cluster_runners_machine_id_seq TO ${to}`
  yield* sql`REVOKE UPDATE, DELETE ON audit_log, call_events, consents, installation_events FROM ${to}`
  yield* sql`GRANT EXECUTE ON FUNCTION lookup_api_key(text), lookup_telephony_connection(text) TO ${to}`
  yield* sql`GRANT EXECUTE ON FUNCTION organization_ids(text, integer), expire_moderations(timestamptz, integer),
    expire_installation_events(timestamptz, timestamptz, integer) TO ${to}`
  yield* sql`GRANT EXECUTE ON FUNCTION lookup_user(text), lookup_session(text), lookup_invitation(text),
    delete_expired(timestamptz, timestamptz, integer) TO ${to}`
  yield* sql`GRANT EXECUTE ON FUNCTION register_oauth_client(text, text, text[], text, timestamptz, integer), lookup_oauth_client(text),
    use_oauth_client(text, timestamptz), lookup_oauth_code(text), lookup_oauth_token(text),
    delete_expired_oauth(timestamptz, timestamptz, timestamptz, integer) TO ${to}`
  yield* sql`GRANT EXECUTE ON FUNCTION lookup_channel_connections(text[], text[]), knows_verify_token(text),
    due_letters_in_channel_inbox(timestamptz, integer, integer, text[]), due_files_in_channel_inbox(timestamptz, integer, integer, text[]),
    count_channel_inbox(), expire_channel_inbox(timestamptz, timestamptz, integer) TO ${to}`
  yield* sql`GRANT EXECUTE ON FUNCTION organizations_to_broadcast() TO ${to}`

  yield* sql`GRANT EXECUTE ON FUNCTION due_exports(timestamptz, integer), due_imports(timestamptz, integer), organizations_with_carts(text, timestamptz, integer), organizations_to_push(integer), due_pushes(timestamptz, integer), 
    free_device_tokens(text[]), organizations_with_plain_tokens() TO ${to}`
  yield* sql`GRANT EXECUTE ON FUNCTION due_voicemails(timestamptz, integer), due_summaries(timestamptz, integer), due_knowledge_sources(timestamptz, integer),
    due_evaluation_runs(timestamptz, integer),
    unembedded_knowledge_sources(text, timestamptz, integer) TO ${to}`
  yield* sql`GRANT EXECUTE ON FUNCTION organizations_to_deliver(timestamptz), messaging_backlog(integer) TO ${to}`
  yield* sql`GRANT EXECUTE ON FUNCTION due_conversations(timestamptz, integer), forget_commands(timestamptz, integer),
    due_turns(timestamptz, integer) TO ${to}`
  yield* sql`GRANT EXECUTE ON FUNCTION organizations_to_dial(), unfinished_calls(timestamptz, timestamptz),
    calls_without_engine(timestamptz, timestamptz) TO ${to}`
  yield* sql`GRANT EXECUTE ON FUNCTION unsettled_media(timestamptz, integer) TO ${to}`
  yield* sql`GRANT EXECUTE ON FUNCTION events_behind(xid8, bigint, integer), webhooks_behind(text[], integer),
    webhooks_due(timestamptz, text[], integer) TO ${to}`
  yield* sql`GRANT EXECUTE ON FUNCTION payments_due(timestamptz, text[], integer), organization_of_payment(text) TO ${to}`
  yield* sql`GRANT EXECUTE ON FUNCTION app_with_webhook(text), chat_owner(text, text, text), chat_connections(text, text), chats_behind(text[], integer), chat_summaries_due(timestamptz, integer),
    chat_places_taken(text, text, text[]) TO ${to}`
  yield* sql`GRANT EXECUTE ON FUNCTION apps_behind(text[], integer), apps_due(text, timestamptz, text[], integer),
    apps_to_fill(integer) TO ${to}`
  yield* sql`GRANT EXECUTE ON FUNCTION compact_list_counts(integer),
    search_contacts(text, text, text, text, text, boolean, text, timestamptz, text, bigint, integer, integer) TO ${to}`
  yield* sql`GRANT EXECUTE ON FUNCTION search_organizations(text, text, text, integer, integer), count_flag(text) TO ${to}`
})

/** The URL of the role that serves: the given one when row-level security binds it, else `parley_app`'s. */
const chooseRole = traced("Database.chooseRole")(function* ({ url, migrationUrl }: DatabaseOptions) {
  const given = yield* roleFacts.pipe(Effect.provide(session(url)), Effect.catchTag("SqlError", unreachable))
  if (!given.unbound) return { url, name: given.name }
  const admin = migrationUrl ?? url
  const owner = yield* roleFacts
  if (!owner.mayCreateRoles)
    return yield* new DatabaseError({
      message:
        `The database role ${given.name} is a superuser or has BYPASSRLS, so tenants would not be kept apart, and ${owner.name} may ` +
        "not create a role for the service. Point DATABASE_URL to a plain role (NOSUPERUSER NOBYPASSRLS)."
    })
  const service = yield* ensureServiceRole(admin)
  const { name } = yield* roleFacts.pipe(Effect.provide(session(service)), Effect.catchTag("SqlError", unreachable))
  return { url: service, name }
})

/** Migrates, and prepares the role that serves; gives its URL and what was applied (`migrate`). */
export const prepare = traced("Database.prepare")(function* (options: DatabaseOptions) {
  const prepared = Effect.gen(function* () {
    const applied = yield* migrate()
    // The library's own tables: which processes there are.
    yield* Effect.scoped(Layer.build(SqlRunnerStorage.layerMigrations({})))
    const role = yield* chooseRole(options)
    const owner = yield* roleFacts
    if (role.name !== owner.name) yield* grantTo(role.name)
    return { url: role.url, applied }
  })
  return yield* exclusively(prepared).pipe(
    Effect.provide(session(options.migrationUrl ?? options.url)),
    Effect.catchTags({
      SqlError: unreachable,
      MigrationError: unmigrated,
      FunctionFileError: unmigrated
    })
  )
})

/** Fails unless row-level security binds the connected role. */
const refuseUnbound = Effect.gen(function* () {
  const { name, unbound } = yield* roleFacts
  if (unbound)
    return yield* new DatabaseError({
      message: `Parley refuses to serve as ${name}: it is a superuser or has BYPASSRLS (or may become one), so tenants would not be kept apart.`
    })
})

const properties = new Map<string, string>()

/** A column's name in camelCase. Each row asks for each of its columns; there are only so many names, so each is made once. */
const propertyOf = (column: string): string => {
  const known = properties.get(column)
  if (known !== undefined) return known
  const property = Str.snakeToCamel(column)
  properties.set(column, property)
  return property
}

/** Clients turn column names into camelCase; the insides of JSON columns are left alone. */
const pool = (url: Redacted.Redacted, maxConnections: number, stream: () => Duplex) =>
  PgClient.layer({
    url,
    stream,
    maxConnections,
    applicationName: "parley",
    // What needs no transaction shares connections: many statements, one write.
    multiplex: true,
    // A caller waits: better another attempt (`Unreachable`) than one that hangs.
    connectTimeout: "3 seconds",
    transformResultNames: propertyOf,
    transformJson: false
  })

/** A database that is prepared, as the role of `url`. It also tells when it is silent (`RecordsSilence`). */
export const connected = ({
  url,
  maxConnections = 20
}: Omit<DatabaseOptions, "migrationUrl">): Layer.Layer<PgClient.PgClient | SqlClient.SqlClient, DatabaseError> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const { open, silentMs } = yield* SocketWatch.make(url)
      const client = yield* Layer.build(pool(url, maxConnections, open))
      yield* Effect.provide(refuseUnbound, client)
      return Context.add(client, RecordsSilence, { ms: silentMs })
    }).pipe(Effect.catchTag("SqlError", unreachable))
  )

/** The same, which is prepared before, as the role that serves. */
export const layer = (options: DatabaseOptions): ReturnType<typeof connected> =>
  Layer.unwrap(Effect.map(prepare(options), ({ url }) => connected({ ...options, url })))
