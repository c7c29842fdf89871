/** Whoever remembers an API key is told when it changes; its use is none. Rare, so the lock that NOTIFY puts commits behind is too. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE FUNCTION tell_of_api_key() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_notify('parley_api_keys', '');
      RETURN NULL;
    END $$`
  yield* sql`CREATE TRIGGER api_keys_changed AFTER DELETE OR UPDATE OF revoked_at, expires_at, scopes, secret_hash ON api_keys
    FOR EACH STATEMENT EXECUTE FUNCTION tell_of_api_key()`
})
