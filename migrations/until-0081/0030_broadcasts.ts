/** Broadcasts with one row per recipient, which the messages themselves keep up to date; and what analytics counts of conversations. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate, overAllTenants } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`CREATE TABLE broadcasts (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id text NOT NULL,
    name text NOT NULL,
    template_name text NOT NULL,
    language text NOT NULL,
    components jsonb NOT NULL,
    audience jsonb NOT NULL,
    status text NOT NULL CHECK (status IN ('draft', 'scheduled', 'running', 'paused', 'completed', 'cancelled', 'failed')),
    scheduled_at timestamptz(3),
    started_at timestamptz(3),
    ended_at timestamptz(3),
    failure_reason text,
    created_by text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    PRIMARY KEY (organization_id, id)
  )`
  yield* sql`CREATE INDEX broadcasts_newest ON broadcasts (organization_id, created_at DESC, id DESC)`
  yield* sql`CREATE INDEX broadcasts_by_status ON broadcasts (organization_id, status, created_at DESC, id DESC)`
  yield* sql`CREATE INDEX broadcasts_by_start ON broadcasts (organization_id, started_at)`
  yield* sql`CREATE INDEX broadcasts_with_work ON broadcasts (organization_id) WHERE status IN ('scheduled', 'running')`
  yield* isolate("broadcasts")

  // No foreign key to the contact, nor to the message: who was erased stays counted, as an id that names nobody.
  // `due_at`: not before this time; a claim moves it on, so that a worker that died is followed by another. The message gets its id with the
  // first claim, and keeps it: asked for again it is the same message.
  yield* sql`CREATE TABLE broadcast_recipients (
    organization_id text NOT NULL,
    broadcast_id text NOT NULL,
    contact_id text NOT NULL,
    position bigint NOT NULL,
    status text NOT NULL CHECK (status IN ('waiting', 'queued', 'sent', 'delivered', 'read', 'failed', 'skipped')),
    reason text NOT NULL DEFAULT '',
    message_id text,
    due_at timestamptz(3) NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    updated_at timestamptz(3) NOT NULL,
    PRIMARY KEY (organization_id, broadcast_id, contact_id),
    CONSTRAINT broadcast_recipients_message UNIQUE (organization_id, message_id),
    FOREIGN KEY (organization_id, broadcast_id) REFERENCES broadcasts (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX broadcast_recipients_by_status ON broadcast_recipients (organization_id, broadcast_id, status, reason, position)`
  yield* sql`CREATE INDEX broadcast_recipients_newest ON broadcast_recipients (organization_id, broadcast_id, position)`
  yield* sql`CREATE INDEX broadcast_recipients_waiting ON broadcast_recipients (organization_id, broadcast_id, due_at, position)
    WHERE status = 'waiting'`
  yield* isolate("broadcast_recipients")

  // When the next message of an organization may leave, whichever node sends it.
  yield* sql`CREATE TABLE broadcast_pace (
    organization_id text PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE,
    next_at timestamptz(3) NOT NULL
  )`
  yield* isolate("broadcast_pace")

  // The message's own transaction moves its recipient, whoever stores it and whoever hears of it. Other messages are not looked at.
  yield* sql`CREATE FUNCTION keep_broadcast_recipient() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE broadcast_recipients SET status = NEW.status, reason = '', updated_at = clock_timestamp()
        WHERE organization_id = NEW.organization_id AND message_id = NEW.id AND status <> NEW.status;
      RETURN NULL;
    END $$`
  yield* sql`CREATE TRIGGER messages_of_broadcasts AFTER INSERT OR UPDATE OF status ON messages
    FOR EACH ROW WHEN (starts_with(NEW.sent_by, 'brd_')) EXECUTE FUNCTION keep_broadcast_recipient()`

  // For the workers, which serve every organization: says where there is work, and nothing of what it is.
  yield* sql`CREATE POLICY lookup ON broadcasts FOR SELECT TO CURRENT_USER
    USING ((SELECT current_setting('app.cross_tenant', true)) = 'lookup')`
  yield* sql`CREATE FUNCTION organizations_to_broadcast() RETURNS SETOF text
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    BEGIN
      PERFORM set_config('app.cross_tenant', 'lookup', true);
      RETURN QUERY SELECT DISTINCT b.organization_id FROM broadcasts b WHERE b.status IN ('scheduled', 'running');
      PERFORM set_config('app.cross_tenant', '', true);
    END $$`
  yield* sql`REVOKE ALL ON FUNCTION organizations_to_broadcast() FROM PUBLIC`

  // From opening to resolution, one row each time: a conversation that is reopened begins another one, and what was counted of the first stays.
  // No foreign key: numbers stay when the conversation is erased. Triggers keep it, so it is right whoever writes.
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
  yield* sql`CREATE UNIQUE INDEX conversation_episodes_open ON conversation_episodes (organization_id, conversation_id) WHERE resolved_at IS NULL`
  yield* sql`CREATE INDEX conversation_episodes_opened ON conversation_episodes (organization_id, opened_at)`
  yield* sql`CREATE INDEX conversation_episodes_answered ON conversation_episodes (organization_id, first_response_at)
    WHERE first_response_at IS NOT NULL`
  yield* sql`CREATE INDEX conversation_episodes_resolved ON conversation_episodes (organization_id, resolved_at) WHERE resolved_at IS NOT NULL`
  yield* isolate("conversation_episodes")

  yield* sql`CREATE FUNCTION keep_conversation_episode() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        INSERT INTO conversation_episodes (organization_id, conversation_id, channel, opened_at, resolved_at)
          VALUES (NEW.organization_id, NEW.id, NEW.channel, NEW.created_at, CASE WHEN NEW.status = 'RESOLVED' THEN NEW.updated_at END);
      ELSIF OLD.status <> 'RESOLVED' AND NEW.status = 'RESOLVED' THEN
        UPDATE conversation_episodes SET resolved_at = clock_timestamp(), resolved_by = coalesce(NEW.assigned_user_id, NEW.assigned_agent_id)
          WHERE organization_id = NEW.organization_id AND conversation_id = NEW.id AND resolved_at IS NULL;
      ELSIF OLD.status = 'RESOLVED' AND NEW.status <> 'RESOLVED' THEN
        -- Reopened by what the contact wrote, or by somebody else.
        INSERT INTO conversation_episodes (organization_id, conversation_id, channel, opened_at, first_inbound_at)
          SELECT NEW.organization_id, NEW.id, NEW.channel, clock_timestamp(), CASE WHEN NEW.last_inbound_at > max(e.resolved_at) THEN NEW.last_inbound_at END
          FROM conversation_episodes e WHERE e.organization_id = NEW.organization_id AND e.conversation_id = NEW.id;
      ELSE
        UPDATE conversation_episodes SET first_inbound_at = NEW.last_inbound_at
          WHERE organization_id = NEW.organization_id AND conversation_id = NEW.id AND resolved_at IS NULL AND first_inbound_at IS NULL;
      END IF;
      RETURN NULL;
    END $$`
  yield* sql`CREATE TRIGGER conversations_begin AFTER INSERT ON conversations FOR EACH ROW EXECUTE FUNCTION keep_conversation_episode()`
  yield* sql`CREATE TRIGGER conversations_go_on AFTER UPDATE OF status, last_inbound_at ON conversations FOR EACH ROW
    WHEN ((OLD.status = 'RESOLVED') <> (NEW.status = 'RESOLVED') OR OLD.last_inbound_at IS DISTINCT FROM NEW.last_inbound_at)
    EXECUTE FUNCTION keep_conversation_episode()`

  // A broadcast is no answer to anybody.
  yield* sql`CREATE FUNCTION keep_first_response() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE conversation_episodes SET first_response_at = NEW.created_at, responded_by = NEW.sent_by
        WHERE organization_id = NEW.organization_id AND conversation_id = NEW.conversation_id AND resolved_at IS NULL
          AND first_inbound_at IS NOT NULL AND first_response_at IS NULL;
      RETURN NULL;
    END $$`
  yield* sql`CREATE TRIGGER messages_answer AFTER INSERT ON messages FOR EACH ROW
    WHEN (NEW.direction = 'outbound' AND NOT starts_with(coalesce(NEW.sent_by, ''), 'brd_')) EXECUTE FUNCTION keep_first_response()`

  yield* overAllTenants(
    ["conversations", "messages", "conversation_episodes"],
    sql`INSERT INTO conversation_episodes (organization_id, conversation_id, channel, opened_at, first_inbound_at, first_response_at, responded_by,
        resolved_at, resolved_by)
      SELECT v.organization_id, v.id, v.channel, v.created_at, i.at, o.created_at, o.sent_by,
        CASE WHEN v.status = 'RESOLVED' THEN v.updated_at END,
        CASE WHEN v.status = 'RESOLVED' THEN coalesce(v.assigned_user_id, v.assigned_agent_id) END
      FROM conversations v
      LEFT JOIN LATERAL (SELECT min(m.created_at) AS at FROM messages m WHERE m.organization_id = v.organization_id
        AND m.conversation_id = v.id AND m.direction = 'inbound') i ON true
      LEFT JOIN LATERAL (SELECT m.created_at, m.sent_by FROM messages m WHERE m.organization_id = v.organization_id
        AND m.conversation_id = v.id AND m.direction = 'outbound' AND m.created_at >= i.at ORDER BY m.created_at LIMIT 1) o ON true`
  )

  // Calls of every agent between two times.
  yield* sql`CREATE INDEX calls_by_age ON calls (organization_id, created_at)`
})
