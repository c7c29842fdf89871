/** What a team chat is told of: alerts in mapped channels. And what is told once: used voice minutes, providers that are down. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate, openAcross } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE chat_mappings DROP CONSTRAINT chat_mappings_target_check`
  yield* sql`ALTER TABLE chat_mappings DROP CONSTRAINT chat_mappings_agent`
  yield* sql`ALTER TABLE chat_mappings
    ADD CONSTRAINT chat_mappings_target CHECK (target IN ('people', 'agent', 'queue', 'ops', 'nobody')),
    ADD CONSTRAINT chat_mappings_agent CHECK (agent_id IS NULL OR target IN ('agent', 'ops')),
    ADD COLUMN alerts text[] NOT NULL DEFAULT '{}'`

  // How far the event log was read for an organization's team chat.
  yield* sql`CREATE TABLE chat_news (
    organization_id text PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE,
    transaction xid8 NOT NULL,
    position bigint NOT NULL
  )`
  yield* isolate("chat_news")
  yield* openAcross("chat_news", "directory")

  // What is to be written into a team chat. "once": why it is written, so that nothing is written twice. Those of a lane are written in order. "ts": the
  // provider's id of the message. "content" goes when it was written.
  yield* sql`CREATE TABLE chat_posts (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id text NOT NULL,
    position bigint GENERATED ALWAYS AS IDENTITY,
    once text NOT NULL,
    team_id text NOT NULL,
    channel_id text NOT NULL,
    lane text NOT NULL,
    conversation_id text,
    content jsonb,
    status text NOT NULL CHECK (status IN ('waiting', 'done', 'dead')),
    due_at timestamptz(3),
    claims integer NOT NULL DEFAULT 0,
    failures integer NOT NULL DEFAULT 0,
    unanswered integer NOT NULL DEFAULT 0,
    ts text,
    error text,
    created_at timestamptz(3) NOT NULL,
    PRIMARY KEY (organization_id, id),
    CONSTRAINT chat_posts_once UNIQUE (organization_id, team_id, channel_id, once),
    FOREIGN KEY (organization_id, conversation_id) REFERENCES conversations (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX chat_posts_due ON chat_posts (organization_id, team_id, due_at) WHERE due_at IS NOT NULL`
  yield* sql`CREATE INDEX chat_posts_lane ON chat_posts (organization_id, team_id, lane, position) WHERE due_at IS NOT NULL`
  yield* sql`CREATE INDEX chat_posts_age ON chat_posts (organization_id, created_at)`
  yield* sql`CREATE INDEX chat_posts_of_conversation ON chat_posts (organization_id, conversation_id) WHERE conversation_id IS NOT NULL`
  yield* isolate("chat_posts")
  yield* openAcross("chat_posts", "directory")

  // Months of which the organization was told that its voice minutes are used.
  yield* sql`CREATE TABLE voice_allowances_told (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    month text NOT NULL,
    PRIMARY KEY (organization_id, month)
  )`
  yield* isolate("voice_allowances_told")

  // Providers that are down, or were, as the processes of the service see it. "told": organizations know it. It belongs to no organization.
  yield* sql`CREATE TABLE provider_outages (
    provider text PRIMARY KEY,
    since timestamptz(3) NOT NULL,
    failed_at timestamptz(3) NOT NULL,
    ended_at timestamptz(3),
    told boolean NOT NULL
  )`
})
