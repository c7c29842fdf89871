/** Requests that carry an Idempotency-Key, with the answers they got. And their expiry, with that of sessions. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE idempotency_keys (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    caller text NOT NULL,
    method text NOT NULL,
    path text NOT NULL,
    key text NOT NULL,
    id text NOT NULL,
    body_hash text NOT NULL,
    attempt integer NOT NULL DEFAULT 1,
    leased_until timestamptz NOT NULL,
    answer text,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, caller, method, path, key),
    CONSTRAINT idempotency_keys_id UNIQUE (organization_id, id)
  )`
  yield* sql`CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at)`
  yield* isolate("idempotency_keys")

  // Deletes what has expired, of every organization, and says only how much that was.
  for (const table of ["idempotency_keys", "sessions"])
    for (const command of ["SELECT", "DELETE"])
      yield* sql.unsafe(`CREATE POLICY expire_${command.toLowerCase()} ON ${table} FOR ${command} TO CURRENT_USER
        USING ((SELECT current_setting('app.cross_tenant', true)) = 'expire')`)
  yield* sql`CREATE FUNCTION delete_expired(at timestamptz, idle_since timestamptz, most integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    DECLARE keys integer; ended integer;
    BEGIN
      PERFORM set_config('app.cross_tenant', 'expire', true);
      DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM idempotency_keys WHERE expires_at <= at LIMIT most));
      GET DIAGNOSTICS keys = ROW_COUNT;
      DELETE FROM sessions WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM sessions WHERE expires_at <= at OR last_seen_at <= idle_since LIMIT most));
      GET DIAGNOSTICS ended = ROW_COUNT;
      PERFORM set_config('app.cross_tenant', '', true);
      RETURN keys + ended;
    END $$`
  yield* sql`REVOKE ALL ON FUNCTION delete_expired(timestamptz, timestamptz, integer) FROM PUBLIC`
})
