/** Team chat for the organization's own people: what an agent proposes to change, and the daily summary. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // "summary_at": a time of day in the organization's time zone. "summary_due": when the next one is written.
  yield* sql`ALTER TABLE chat_mappings ADD COLUMN summary_at text, ADD COLUMN summary_due timestamptz(3)`
  yield* sql`CREATE INDEX chat_mappings_summary ON chat_mappings (summary_due) WHERE summary_due IS NOT NULL`

  // What an agent wants to change, until somebody decides. "state": "confirmed" is carried out; "done" and "failed" have a result.
  yield* sql`CREATE TABLE chat_proposals (
    organization_id text NOT NULL,
    id text NOT NULL,
    conversation_id text NOT NULL,
    change jsonb NOT NULL,
    state text NOT NULL CHECK (state IN ('open', 'confirmed', 'declined', 'done', 'failed')),
    decided_by text,
    created_at timestamptz(3) NOT NULL,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, conversation_id) REFERENCES conversations (organization_id, id) ON DELETE CASCADE
  )`
  yield* isolate("chat_proposals")
})
