/** What the authorization servers of external MCP servers have granted us, and the authorizations that are under way. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // `tokens` is encrypted JSON. `version` counts its changes, so that tokens are renewed over the version that was read.
  yield* sql`CREATE TABLE mcp_grants (
    organization_id text NOT NULL,
    server_id text NOT NULL,
    status text NOT NULL CHECK (status IN ('authorized', 'lost')),
    issuer text NOT NULL,
    scopes text[] NOT NULL,
    wanted text[] NOT NULL DEFAULT '{}',
    tokens text NOT NULL,
    version integer NOT NULL DEFAULT 1,
    renewal_failed_at timestamptz(3),
    authorized_by text NOT NULL,
    authorized_at timestamptz(3) NOT NULL,
    PRIMARY KEY (organization_id, server_id),
    FOREIGN KEY (organization_id, server_id) REFERENCES mcp_servers (organization_id, id) ON DELETE CASCADE
  )`
  yield* isolate("mcp_grants")

  // The state is stored as its hash; `pending` is encrypted JSON. A row lives ten minutes at most and is used once.
  yield* sql`CREATE TABLE mcp_authorizations (
    organization_id text NOT NULL,
    state_hash text NOT NULL,
    server_id text NOT NULL,
    user_id text NOT NULL,
    pending text NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    PRIMARY KEY (organization_id, state_hash),
    FOREIGN KEY (organization_id, server_id) REFERENCES mcp_servers (organization_id, id) ON DELETE CASCADE
  )`
  yield* isolate("mcp_authorizations")
})
