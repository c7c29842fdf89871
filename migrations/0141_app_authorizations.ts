/** Authorizations of integrations that are under way, and when the tokens of a connection could not be refreshed. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // The state is stored as its hash; the verifier of PKCE is encrypted. A row lives ten minutes at most and is used once.
  yield* sql`CREATE TABLE app_authorizations (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    state_hash text NOT NULL,
    provider text NOT NULL,
    user_id text NOT NULL,
    verifier text NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    PRIMARY KEY (organization_id, state_hash)
  )`
  yield* isolate("app_authorizations")
  yield* sql`ALTER TABLE app_connections ADD COLUMN refresh_failed_at timestamptz(3)`
})
