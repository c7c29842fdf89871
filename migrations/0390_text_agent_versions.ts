/** What text agents were before: their settings at each save, as those of voice agents. The newest of each agent are kept. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE text_agent_versions (
    organization_id text NOT NULL,
    id text NOT NULL,
    agent_id text NOT NULL,
    version integer NOT NULL,
    name text NOT NULL,
    settings jsonb NOT NULL,
    changed text[] NOT NULL,
    saved_at timestamptz(3) NOT NULL,
    actor_type text NOT NULL,
    actor_id text,
    PRIMARY KEY (organization_id, id),
    CONSTRAINT text_agent_versions_number UNIQUE (organization_id, agent_id, version),
    FOREIGN KEY (organization_id, agent_id) REFERENCES text_agents (organization_id, id) ON DELETE CASCADE
  )`
  yield* isolate("text_agent_versions")
})
