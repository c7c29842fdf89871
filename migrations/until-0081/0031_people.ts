/** People who are invited, and people who left. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const body = (statement: string, mode: string) => `
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    BEGIN
      PERFORM set_config('app.cross_tenant', '${mode}', true);
      ${statement}
      PERFORM set_config('app.cross_tenant', '', true);
    END $$`

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Who left keeps the row: the audit log and messages name it. An invitation is kept as the hash of its token.
  yield* sql`ALTER TABLE users
    ADD COLUMN deactivated_at timestamptz(3),
    ADD COLUMN invitation_hash text CONSTRAINT users_invitation UNIQUE,
    ADD COLUMN invited_until timestamptz(3)`
  yield* sql`CREATE INDEX users_newest ON users (organization_id, created_at DESC, id DESC)`
  yield* sql.unsafe(`CREATE FUNCTION lookup_invitation(wanted text) RETURNS SETOF users
    ${body("RETURN QUERY SELECT * FROM users WHERE invitation_hash = wanted AND deactivated_at IS NULL;", "lookup")}`)
  // A session of somebody who left is none, even one that began while they were leaving.
  yield* sql.unsafe(`CREATE OR REPLACE FUNCTION lookup_session(wanted text)
    RETURNS TABLE (organization_id text, id text, user_id text, email text, name text, role text,
      last_seen_at timestamptz, expires_at timestamptz)
    ${body(
      `RETURN QUERY SELECT s.organization_id, s.id, s.user_id, u.email, u.name, u.role, s.last_seen_at, s.expires_at
        FROM sessions s JOIN users u ON u.organization_id = s.organization_id AND u.id = s.user_id
        WHERE s.token_hash = wanted AND u.deactivated_at IS NULL;`,
      "lookup"
    )}`)
  yield* sql`REVOKE ALL ON FUNCTION lookup_invitation(text) FROM PUBLIC`
})
