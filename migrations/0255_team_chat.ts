/** Team chat: which places of a workspace belong to whom, and the conversation of each thread. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate, openAcross } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // `place`: the id of a channel, or `direct` for direct messages. A place of a workspace belongs to one organization.
  yield* sql`CREATE TABLE chat_mappings (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    team_id text NOT NULL,
    place text NOT NULL,
    name text,
    is_private boolean NOT NULL,
    is_archived boolean NOT NULL,
    is_member boolean NOT NULL,
    target text NOT NULL CHECK (target IN ('people', 'agent')),
    agent_id text,
    since timestamptz(3) NOT NULL,
    PRIMARY KEY (organization_id, team_id, place),
    CONSTRAINT chat_mappings_agent CHECK (agent_id IS NULL OR target = 'agent'),
    FOREIGN KEY (organization_id, agent_id) REFERENCES text_agents (organization_id, id) ON DELETE SET NULL (agent_id)
  )`
  yield* sql`CREATE UNIQUE INDEX chat_mappings_once ON chat_mappings (team_id, place)`
  yield* sql`CREATE INDEX chat_mappings_of_agent ON chat_mappings (organization_id, agent_id) WHERE agent_id IS NOT NULL`
  yield* isolate("chat_mappings")
  yield* openAcross("chat_mappings", "directory")
  yield* sql`CREATE INDEX app_connections_by_account ON app_connections (provider, account_id)`

  yield* sql`CREATE TABLE chat_threads (
    organization_id text NOT NULL,
    team_id text NOT NULL,
    channel_id text NOT NULL,
    thread_id text NOT NULL,
    conversation_id text NOT NULL,
    PRIMARY KEY (organization_id, team_id, channel_id, thread_id),
    CONSTRAINT chat_threads_of_conversation UNIQUE (organization_id, conversation_id),
    FOREIGN KEY (organization_id, conversation_id) REFERENCES conversations (organization_id, id) ON DELETE CASCADE
  )`
  yield* isolate("chat_threads")
})
