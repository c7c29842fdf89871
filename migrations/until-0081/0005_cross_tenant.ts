/**
 * The only ways to a row before its organization is known. Each is a function that gives one row for one exact, unguessable key.
 *
 * They run as the owner of the tables, which is itself under FORCED row-level security: the policies below let the owner read these two
 * tables, and only while such a function runs (it alone sets `app.cross_tenant`, inside itself: a plain role may not declare it with
 * `CREATE FUNCTION … SET`).
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const lookup = Effect.fnUntraced(function* (name: string, table: string, key: string) {
    yield* sql.unsafe(`CREATE POLICY lookup ON ${table} FOR SELECT TO CURRENT_USER
      USING ((SELECT current_setting('app.cross_tenant', true)) = 'lookup')`)
    yield* sql.unsafe(`CREATE FUNCTION ${name}(wanted text) RETURNS SETOF ${table}
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
      BEGIN
        PERFORM set_config('app.cross_tenant', 'lookup', true);
        RETURN QUERY SELECT * FROM ${table} WHERE ${key} = wanted;
        PERFORM set_config('app.cross_tenant', '', true);
      END $$`)
    yield* sql.unsafe(`REVOKE ALL ON FUNCTION ${name}(text) FROM PUBLIC`)
  })

  yield* lookup("lookup_api_key", "api_keys", "prefix")
  yield* lookup("lookup_telephony_connection", "telephony_connections", "account_sid")
})
