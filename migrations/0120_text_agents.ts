/** Text agents, and conversations that are assigned to one. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // `answers` and `channels` are read with every inbound message, to find out who answers it.
  yield* sql`CREATE TABLE text_agents (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id text NOT NULL,
    name text NOT NULL,
    answers text NOT NULL,
    channels text[] NOT NULL,
    settings jsonb NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, id)
  )`
  yield* sql`CREATE UNIQUE INDEX text_agents_name ON text_agents (organization_id, name)`
  yield* isolate("text_agents")

  yield* sql`ALTER TABLE conversations ADD COLUMN assigned_bot_id text`
  yield* sql`ALTER TABLE conversations ADD FOREIGN KEY (organization_id, assigned_bot_id)
    REFERENCES text_agents (organization_id, id) ON DELETE SET NULL (assigned_bot_id)`
  yield* sql`CREATE INDEX conversations_of_bot ON conversations (organization_id, assigned_bot_id)
    WHERE status = 'ASSIGNED' AND assigned_bot_id IS NOT NULL`
})
