/** People sign in: their sessions. What is shown of API keys, and which key has taken the place of another. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE api_keys ADD COLUMN last_four text, ADD COLUMN rotated_to text`
  yield* sql`CREATE INDEX api_keys_newest ON api_keys (organization_id, created_at DESC, id DESC)`

  yield* sql`CREATE TABLE sessions (
    organization_id text NOT NULL,
    id text NOT NULL,
    user_id text NOT NULL,
    token_hash text NOT NULL CONSTRAINT sessions_token UNIQUE,
    created_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, user_id) REFERENCES users (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX sessions_of_user ON sessions (organization_id, user_id)`
  yield* sql`CREATE INDEX sessions_expiry ON sessions (expires_at)`
  yield* isolate("sessions")

  // Before the organization is known: a person by address, a session by the hash of its cookie (as the look-ups of 0005).
  for (const table of ["users", "sessions"])
    yield* sql.unsafe(`CREATE POLICY lookup ON ${table} FOR SELECT TO CURRENT_USER
      USING ((SELECT current_setting('app.cross_tenant', true)) = 'lookup')`)
  yield* sql`CREATE FUNCTION lookup_user(wanted text) RETURNS SETOF users
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    BEGIN
      PERFORM set_config('app.cross_tenant', 'lookup', true);
      RETURN QUERY SELECT * FROM users WHERE lower(email) = lower(wanted);
      PERFORM set_config('app.cross_tenant', '', true);
    END $$`
  yield* sql`CREATE FUNCTION lookup_session(wanted text)
    RETURNS TABLE (organization_id text, id text, user_id text, email text, name text, role text,
      last_seen_at timestamptz, expires_at timestamptz)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    BEGIN
      PERFORM set_config('app.cross_tenant', 'lookup', true);
      RETURN QUERY SELECT s.organization_id, s.id, s.user_id, u.email, u.name, u.role, s.last_seen_at, s.expires_at
        FROM sessions s JOIN users u ON u.organization_id = s.organization_id AND u.id = s.user_id
        WHERE s.token_hash = wanted;
      PERFORM set_config('app.cross_tenant', '', true);
    END $$`
  yield* sql`REVOKE ALL ON FUNCTION lookup_user(text), lookup_session(text) FROM PUBLIC`
})
