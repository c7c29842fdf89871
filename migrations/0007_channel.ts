/** The messaging channel: an organization's connection, what waits to be sent, what the channel told, and files of messages. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate, openAcross } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // A number of the channel belongs to one organization; one business account may serve several.
  yield* sql`CREATE TABLE channel_connections (
    organization_id text PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE,
    id text NOT NULL,
    phone_number_id text NOT NULL CONSTRAINT channel_connections_number UNIQUE,
    business_account_id text NOT NULL,
    access_token text NOT NULL,
    app_secret text NOT NULL,
    verify_token text NOT NULL,
    verify_token_hash text NOT NULL,
    phone_number text,
    business_name text,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT channel_connections_id UNIQUE (organization_id, id)
  )`
  yield* sql`CREATE INDEX channel_connections_account ON channel_connections (business_account_id)`
  yield* sql`CREATE INDEX channel_connections_verify ON channel_connections (verify_token_hash)`
  yield* isolate("channel_connections")
  // A webhook of the channel names only the channel's own ids.
  yield* openAcross("channel_connections", "lookup")

  // Messages on their way to the channel, from when one is stored until the channel has it or it has failed.
  // `head`: the first message of its conversation. Only that one is handed over: so the order is kept, and looking for work reads an index,
  // however long the queue is. `attempts` counts claims: a claim that another one followed changes nothing any more.
  // `handing_over_since`: the channel may have the message since then, and no answer is stored. `unanswered`: how often that happened before.
  yield* sql`CREATE TABLE outbox (
    organization_id text NOT NULL,
    message_id text NOT NULL,
    conversation_id text NOT NULL,
    position bigint GENERATED ALWAYS AS IDENTITY,
    head boolean NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    due_at timestamptz(3) NOT NULL,
    queued_at timestamptz(3) NOT NULL,
    handing_over_since timestamptz(3),
    unanswered integer NOT NULL DEFAULT 0,
    last_error text,
    PRIMARY KEY (organization_id, message_id),
    FOREIGN KEY (organization_id, message_id) REFERENCES messages (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX outbox_due ON outbox (organization_id, due_at) WHERE head`
  yield* sql`CREATE UNIQUE INDEX outbox_heads ON outbox (organization_id, conversation_id) WHERE head`
  yield* sql`CREATE INDEX outbox_in_order ON outbox (organization_id, conversation_id, position)`
  yield* sql`CREATE INDEX outbox_oldest ON outbox (queued_at) WHERE head`
  yield* isolate("outbox")
  // For the worker, which serves every organization.
  yield* openAcross("outbox", "lookup")

  // What the channel told, one thing a row, from when it was verified until it is forgotten. Items of one `line` are kept in order: the next waits
  // until the one before is settled. `once` is the same in two reports of the same thing. A claim is a lease: it moves `due_at` on. `attempts`
  // counts claims.
  yield* sql`CREATE TABLE channel_inbox (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id text NOT NULL,
    position bigint GENERATED ALWAYS AS IDENTITY,
    kind text NOT NULL,
    line text NOT NULL,
    once text NOT NULL,
    payload jsonb NOT NULL,
    state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'done', 'failed')),
    attempts integer NOT NULL DEFAULT 0,
    due_at timestamptz(3) NOT NULL,
    received_at timestamptz(3) NOT NULL,
    settled_at timestamptz(3),
    last_error text,
    PRIMARY KEY (organization_id, id),
    CONSTRAINT channel_inbox_once UNIQUE (organization_id, once)
  )`
  yield* sql`CREATE INDEX channel_inbox_failed ON channel_inbox (organization_id, position) WHERE state = 'failed'`
  yield* sql`CREATE INDEX channel_inbox_settled ON channel_inbox (settled_at) WHERE state <> 'waiting'`
  // Files are fetched, and news about templates is worked on, beside the other items: both may take minutes at the channel. Each of the two kinds has
  // indexes of its own, so however many files wait, the first message is found at once.
  yield* sql`CREATE INDEX channel_inbox_letters_due ON channel_inbox (organization_id, due_at, position)
    WHERE state = 'waiting' AND kind NOT IN ('media', 'template')`
  yield* sql`CREATE INDEX channel_inbox_letters_lines ON channel_inbox (organization_id, line, position)
    WHERE state = 'waiting' AND kind NOT IN ('media', 'template')`
  yield* sql`CREATE INDEX channel_inbox_files_due ON channel_inbox (organization_id, due_at, position)
    WHERE state = 'waiting' AND kind IN ('media', 'template')`
  yield* sql`CREATE INDEX channel_inbox_files_lines ON channel_inbox (organization_id, line, position)
    WHERE state = 'waiting' AND kind IN ('media', 'template')`
  yield* isolate("channel_inbox")
  yield* openAcross("channel_inbox", "expire", "SELECT", "expire_select")
  yield* openAcross("channel_inbox", "lookup")
  yield* openAcross("channel_inbox", "expire", "DELETE")

  // Files of messages. Their content is in the object storage, under the id of the row.
  yield* sql`CREATE TABLE media (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id text NOT NULL,
    state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'stored', 'removing')),
    kind text NOT NULL CHECK (kind IN ('image', 'document', 'audio', 'video')),
    mime_type text NOT NULL,
    size_bytes integer NOT NULL CHECK (size_bytes > 0),
    sha256 text NOT NULL CHECK (length(sha256) = 64),
    filename text,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    state_since timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, id)
  )`
  // One row per content, except those that are being removed.
  yield* sql`CREATE UNIQUE INDEX media_content ON media (organization_id, sha256) WHERE state <> 'removing'`
  yield* sql`CREATE INDEX media_unsettled ON media (state_since) WHERE state <> 'stored'`
  yield* sql`CREATE INDEX media_by_age ON media (organization_id, created_at)`
  yield* isolate("media")
  yield* openAcross("media", "lookup")

  // The channel's ids of our files, valid until `expires_at`.
  yield* sql`CREATE TABLE channel_media (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    media_id text NOT NULL,
    phone_number_id text NOT NULL,
    channel_media_id text NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    PRIMARY KEY (organization_id, media_id, phone_number_id)
  )`
  yield* isolate("channel_media")
})
