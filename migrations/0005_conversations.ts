/** Conversations with contacts, and the messages in them. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate, openAcross } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // `epoch` is that of the node that owns the conversation: only that node may write in it. Due times are in milliseconds, which the timers of
  // the owner keep. `sla_due_at` is the first due time that was not missed yet.
  yield* sql`CREATE TABLE conversations (
    organization_id text NOT NULL,
    id text NOT NULL,
    contact_id text NOT NULL,
    channel text NOT NULL CHECK (channel IN ('messaging', 'voice', 'team_chat')),
    status text NOT NULL DEFAULT 'OPEN' CHECK (status IN ('OPEN', 'ASSIGNED', 'RESOLVED')),
    assigned_user_id text,
    assigned_agent_id text,
    flagged boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    last_activity_at timestamptz(3) NOT NULL DEFAULT now(),
    last_inbound_at timestamptz(3),
    unread_count integer NOT NULL DEFAULT 0 CHECK (unread_count >= 0),
    epoch bigint NOT NULL DEFAULT 0,
    sla_since timestamptz(3),
    response_due_at timestamptz(3),
    resolution_due_at timestamptz(3),
    response_breached_at timestamptz(3),
    resolution_breached_at timestamptz(3),
    sla_due_at timestamptz(3),
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, contact_id) REFERENCES contacts (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, assigned_user_id) REFERENCES users (organization_id, id) ON DELETE SET NULL (assigned_user_id),
    FOREIGN KEY (organization_id, assigned_agent_id) REFERENCES voice_agents (organization_id, id) ON DELETE SET NULL (assigned_agent_id)
  )`
  yield* sql`CREATE INDEX conversations_unresolved ON conversations (organization_id, contact_id, channel, created_at DESC)
    WHERE status <> 'RESOLVED'`
  yield* sql`CREATE INDEX conversations_newest ON conversations (organization_id, created_at DESC, id DESC)`
  yield* sql`CREATE INDEX conversations_active ON conversations (organization_id, last_activity_at DESC, id DESC)`
  yield* sql`CREATE INDEX conversations_by_status ON conversations (organization_id, status, last_activity_at DESC, id DESC)`
  yield* sql`CREATE INDEX conversations_of_contact ON conversations (organization_id, contact_id)`
  yield* sql`CREATE INDEX conversations_due ON conversations (sla_due_at) WHERE sla_due_at IS NOT NULL`
  yield* sql`CREATE INDEX conversations_of_person ON conversations (organization_id, assigned_user_id)
    WHERE status = 'ASSIGNED' AND assigned_user_id IS NOT NULL`
  yield* sql`CREATE INDEX conversations_of_agent ON conversations (organization_id, assigned_agent_id)
    WHERE status = 'ASSIGNED' AND assigned_agent_id IS NOT NULL`
  yield* isolate("conversations")
  // For the worker that looks for due times in all organizations.
  yield* openAcross("conversations", "due")

  // Commands that a conversation has carried out, so that a repeated one is not carried out again.
  yield* sql`CREATE TABLE conversation_commands (
    organization_id text NOT NULL,
    conversation_id text NOT NULL,
    id text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, conversation_id, id),
    FOREIGN KEY (organization_id, conversation_id) REFERENCES conversations (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX conversation_commands_by_age ON conversation_commands (created_at)`
  yield* isolate("conversation_commands")
  yield* openAcross("conversation_commands", "expire", "SELECT", "expire_select")
  yield* openAcross("conversation_commands", "expire", "DELETE", "expire_delete")

  // From opening to resolution, one row each time: a conversation that is reopened begins another one, and the numbers of the first stay.
  // No foreign key: numbers stay when the conversation is erased. Triggers keep the rows, so they are right whoever writes.
  yield* sql`CREATE TABLE conversation_episodes (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id bigint GENERATED ALWAYS AS IDENTITY,
    conversation_id text NOT NULL,
    channel text NOT NULL,
    opened_at timestamptz(3) NOT NULL,
    first_inbound_at timestamptz(3),
    first_response_at timestamptz(3),
    responded_by text,
    resolved_at timestamptz(3),
    resolved_by text,
    PRIMARY KEY (organization_id, id)
  )`
  yield* sql`CREATE UNIQUE INDEX conversation_episodes_open ON conversation_episodes (organization_id, conversation_id)
    WHERE resolved_at IS NULL`
  yield* sql`CREATE INDEX conversation_episodes_opened ON conversation_episodes (organization_id, opened_at)`
  yield* sql`CREATE INDEX conversation_episodes_answered ON conversation_episodes (organization_id, first_response_at)
    WHERE first_response_at IS NOT NULL`
  yield* sql`CREATE INDEX conversation_episodes_resolved ON conversation_episodes (organization_id, resolved_at)
    WHERE resolved_at IS NOT NULL`
  yield* isolate("conversation_episodes")

  // `media_id` is a column because row-level security lets no index look into JSON: messages that refer to a file are looked for before it is
  // removed.
  yield* sql`CREATE TABLE messages (
    organization_id text NOT NULL,
    id text NOT NULL,
    conversation_id text NOT NULL,
    direction text NOT NULL CHECK (direction IN ('inbound', 'outbound')),
    type text NOT NULL,
    content jsonb NOT NULL,
    reply_to_id text,
    reply_to_channel_message_id text,
    channel_message_id text,
    sent_by text,
    status text NOT NULL CHECK (status IN ('received', 'queued', 'sent', 'delivered', 'read', 'failed')),
    sent_at timestamptz(3),
    delivered_at timestamptz(3),
    read_at timestamptz(3),
    failed_at timestamptz(3),
    failure_code text,
    failure_reason text,
    created_at timestamptz(3) NOT NULL,
    media_id text GENERATED ALWAYS AS (content ->> 'mediaId') STORED,
    CHECK ((direction = 'inbound') = (status = 'received')),
    CHECK ((status = 'failed') = (failure_reason IS NOT NULL)),
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, conversation_id) REFERENCES conversations (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, reply_to_id) REFERENCES messages (organization_id, id) ON DELETE SET NULL (reply_to_id)
  )`
  yield* sql`CREATE INDEX messages_newest ON messages (organization_id, created_at DESC, id DESC)`
  yield* sql`CREATE INDEX messages_of_conversation ON messages (organization_id, conversation_id, created_at DESC, id DESC)`
  yield* sql`CREATE INDEX messages_answering ON messages (organization_id, reply_to_id) WHERE reply_to_id IS NOT NULL`
  yield* sql`CREATE INDEX messages_of_media ON messages (organization_id, media_id) WHERE media_id IS NOT NULL`
  // Only messages that the channel has named. While a table is small the planner takes any index of an organization for as good as that of ids; it
  // must not take one in which all waiting messages are alike.
  yield* sql`CREATE UNIQUE INDEX messages_channel_id ON messages (organization_id, channel_message_id)
    WHERE channel_message_id IS NOT NULL`
  yield* isolate("messages")
})
