/** External MCP servers, whose tools an organization's agents may call. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // `word` begins the names of the server's tools. `offered` is what the server listed last, `approved` what a person has agreed to.
  // `secrets` is encrypted JSON. `revision` grows when the address or the credentials change.
  yield* sql`CREATE TABLE mcp_servers (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id text NOT NULL,
    name text NOT NULL,
    word text NOT NULL,
    url text NOT NULL,
    timeout_ms integer NOT NULL,
    auth jsonb NOT NULL,
    secrets text,
    transport text,
    health jsonb NOT NULL,
    offered jsonb NOT NULL DEFAULT '[]',
    approved jsonb NOT NULL DEFAULT '[]',
    revision integer NOT NULL DEFAULT 1,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, id),
    CONSTRAINT mcp_servers_word UNIQUE (organization_id, word)
  )`
  yield* isolate("mcp_servers")
})
