/** What people note in a conversation for each other, and the labels by which they find conversations. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE conversations ADD COLUMN labels text[] NOT NULL DEFAULT '{}'`

  // Row-level security lets only leakproof operators use an index, and looking into an array is none. So each label is a row, kept by a trigger.
  yield* sql`CREATE TABLE conversation_labels (
    organization_id text NOT NULL,
    label text NOT NULL,
    conversation_id text NOT NULL,
    PRIMARY KEY (organization_id, label, conversation_id),
    FOREIGN KEY (organization_id, conversation_id) REFERENCES conversations (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX conversation_labels_of_conversation ON conversation_labels (organization_id, conversation_id)`
  yield* isolate("conversation_labels")

  // `author` is the id of a person or an API key. It stays when that person leaves or that key ends.
  yield* sql`CREATE TABLE conversation_notes (
    organization_id text NOT NULL,
    id text NOT NULL,
    conversation_id text NOT NULL,
    author text NOT NULL,
    text text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, conversation_id) REFERENCES conversations (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX conversation_notes_newest ON conversation_notes (organization_id, conversation_id, created_at DESC, id DESC)`
  yield* isolate("conversation_notes")
})
