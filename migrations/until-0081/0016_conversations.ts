/** Contacts as people see them, what is written in conversations, and an index for each list. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate, overAllTenants } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // A contact that a channel names only by its own id has no phone. Times of milliseconds, so that a cursor can name one exactly.
  yield* sql`ALTER TABLE contacts
    ALTER COLUMN phone DROP NOT NULL,
    ALTER COLUMN created_at TYPE timestamptz(3),
    ADD COLUMN email text,
    ADD COLUMN searchable_name text NOT NULL DEFAULT ''`
  yield* overAllTenants(["contacts"], sql`UPDATE contacts SET searchable_name = lower(name) WHERE name IS NOT NULL`)
  yield* sql`CREATE INDEX contacts_newest ON contacts (organization_id, created_at DESC, id DESC) WHERE archived_at IS NULL`
  yield* sql`CREATE INDEX contacts_archived ON contacts (organization_id, created_at DESC, id DESC) WHERE archived_at IS NOT NULL`

  yield* sql`CREATE TABLE contact_identities (
    organization_id text NOT NULL,
    channel text NOT NULL CHECK (channel IN ('messaging', 'voice', 'team_chat')),
    user_id text NOT NULL,
    contact_id text NOT NULL,
    PRIMARY KEY (organization_id, channel, user_id),
    FOREIGN KEY (organization_id, contact_id) REFERENCES contacts (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX contact_identities_of_contact ON contact_identities (organization_id, contact_id)`
  yield* isolate("contact_identities")

  // Row-level security lets only leakproof operators use an index, and looking into an array is none: each tag is a row, kept by a trigger.
  yield* sql`CREATE TABLE contact_tags (
    organization_id text NOT NULL,
    tag text NOT NULL,
    contact_id text NOT NULL,
    archived boolean NOT NULL,
    created_at timestamptz(3) NOT NULL,
    PRIMARY KEY (organization_id, contact_id, tag),
    FOREIGN KEY (organization_id, contact_id) REFERENCES contacts (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX contact_tags_newest ON contact_tags (organization_id, tag, archived, created_at DESC, contact_id DESC)`
  yield* isolate("contact_tags")
  yield* sql`CREATE FUNCTION keep_contact_tags() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'UPDATE' THEN
        DELETE FROM contact_tags WHERE organization_id = NEW.organization_id AND contact_id = NEW.id;
      END IF;
      INSERT INTO contact_tags (organization_id, tag, contact_id, archived, created_at)
        SELECT DISTINCT NEW.organization_id, tag, NEW.id, NEW.archived_at IS NOT NULL, NEW.created_at FROM unnest(NEW.tags) AS tag;
      RETURN NULL;
    END $$`
  yield* sql`CREATE TRIGGER contacts_tags AFTER INSERT OR UPDATE OF tags, archived_at ON contacts
    FOR EACH ROW EXECUTE FUNCTION keep_contact_tags()`
  yield* overAllTenants(
    ["contacts", "contact_tags"],
    sql`INSERT INTO contact_tags (organization_id, tag, contact_id, archived, created_at)
      SELECT DISTINCT organization_id, tag, id, archived_at IS NOT NULL, created_at FROM contacts, unnest(tags) AS tag`
  )

  yield* sql`ALTER TABLE conversations
    ADD COLUMN last_activity_at timestamptz(3) NOT NULL DEFAULT now(),
    ADD COLUMN last_inbound_at timestamptz(3),
    ADD COLUMN unread_count integer NOT NULL DEFAULT 0 CHECK (unread_count >= 0)`
  yield* overAllTenants(["conversations"], sql`UPDATE conversations SET last_activity_at = updated_at`)
  yield* sql`CREATE INDEX conversations_active ON conversations (organization_id, last_activity_at DESC, id DESC)`
  yield* sql`CREATE INDEX conversations_by_status ON conversations (organization_id, status, last_activity_at DESC, id DESC)`
  yield* sql`CREATE INDEX conversations_of_contact ON conversations (organization_id, contact_id)`
  yield* sql`CREATE INDEX calls_of_contact ON calls (organization_id, contact_id)`

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
    PRIMARY KEY (organization_id, id),
    CONSTRAINT messages_channel_id UNIQUE (organization_id, channel_message_id),
    CHECK ((direction = 'inbound') = (status = 'received')),
    CHECK ((status = 'failed') = (failure_reason IS NOT NULL)),
    FOREIGN KEY (organization_id, conversation_id) REFERENCES conversations (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, reply_to_id) REFERENCES messages (organization_id, id) ON DELETE SET NULL (reply_to_id)
  )`
  yield* sql`CREATE INDEX messages_newest ON messages (organization_id, created_at DESC, id DESC)`
  yield* sql`CREATE INDEX messages_of_conversation ON messages (organization_id, conversation_id, created_at DESC, id DESC)`
  yield* sql`CREATE INDEX messages_answering ON messages (organization_id, reply_to_id) WHERE reply_to_id IS NOT NULL`
  yield* isolate("messages")

  // The ledger also holds who wants messages.
  yield* sql`ALTER TABLE consents DROP CONSTRAINT consents_channel_check, ADD CHECK (channel IN ('voice', 'messaging'))`
})
