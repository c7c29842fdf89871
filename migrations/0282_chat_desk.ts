/** Conversations of other channels that wait for people, shown in a team chat: each as one thread. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Of a mapping with the target "queue": the channels whose conversations are shown there.
  yield* sql`ALTER TABLE chat_mappings ADD COLUMN queue_channels text[] NOT NULL DEFAULT '{}'`

  // "ts": the provider's id of the message that begins the thread; null until it is written.
  yield* sql`CREATE TABLE chat_cards (
    organization_id text NOT NULL,
    conversation_id text NOT NULL,
    team_id text NOT NULL,
    channel_id text NOT NULL,
    ts text,
    created_at timestamptz(3) NOT NULL,
    PRIMARY KEY (organization_id, conversation_id),
    CONSTRAINT chat_cards_at UNIQUE (organization_id, team_id, channel_id, ts),
    FOREIGN KEY (organization_id, conversation_id) REFERENCES conversations (organization_id, id) ON DELETE CASCADE
  )`
  yield* isolate("chat_cards")
})
