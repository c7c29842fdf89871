/**
 * The only ways to a row before its organization is known. Each is a function that gives one row for one exact, unguessable key.
 *
 * They run as the owner of the tables, which is itself under FORCED row-level security: the policies below let the owner read these two
 * tables, and only while such a function runs (it alone sets `app.cross_tenant`).
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const definer =
    "LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp SET app.cross_tenant = 'lookup'"

  for (const table of ["api_keys", "telephony_connections"])
    yield* sql.unsafe(`CREATE POLICY lookup ON ${table} FOR SELECT TO CURRENT_USER
      USING ((SELECT current_setting('app.cross_tenant', true)) = 'lookup')`)

  yield* sql.unsafe(`CREATE FUNCTION lookup_api_key(wanted text) RETURNS SETOF api_keys ${definer}
    AS $$ SELECT * FROM api_keys WHERE prefix = wanted $$`)
  yield* sql.unsafe(`CREATE FUNCTION lookup_telephony_connection(wanted text) RETURNS SETOF telephony_connections ${definer}
    AS $$ SELECT * FROM telephony_connections WHERE account_sid = wanted $$`)

  yield* sql`REVOKE ALL ON FUNCTION lookup_api_key(text), lookup_telephony_connection(text) FROM PUBLIC`
})
