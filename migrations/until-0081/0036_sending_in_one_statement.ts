/**
 * What is done for every message that is sent, as one statement each: between a service and its database round trips cost more than the work. Both
 * run as whoever calls them, as the organization they are given, so row-level security holds in them as everywhere.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // In a transaction of its own the setting ends with the statement; in another one it has to be the organization of that.
  yield* sql`CREATE FUNCTION enter_organization(wanted text) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      IF coalesce(current_setting('app.organization_id', true), '') NOT IN ('', wanted) THEN
        RAISE EXCEPTION 'A transaction of one organization may not touch another''s rows';
      END IF;
      PERFORM set_config('app.organization_id', wanted, true);
    END $$`

  // Whom a message goes to: by number or by id. Hashes as the ledger of consents does.
  yield* sql`CREATE FUNCTION find_recipient(wanted_organization text, wanted_phone text, wanted_id text)
    RETURNS TABLE (contact_id text, phone text, opted_out boolean, conversation_id text) LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM enter_organization(wanted_organization);
      RETURN QUERY SELECT c.id, c.phone, NOT c.opted_in AND coalesce((
          SELECT s.action FROM consents s WHERE s.organization_id = c.organization_id AND s.channel = 'messaging'
            AND s.phone_hash = sha256(convert_to(c.organization_id || '|' || c.phone, 'UTF8')) ORDER BY s.ordinal DESC LIMIT 1
        ) = 'withdrawn', false), (
          SELECT v.id FROM conversations v WHERE v.organization_id = c.organization_id AND v.contact_id = c.id AND v.channel = 'messaging'
            AND v.status <> 'RESOLVED' ORDER BY v.created_at DESC, v.id DESC LIMIT 1
        ) FROM contacts c WHERE c.organization_id = wanted_organization
          AND (c.phone = wanted_phone OR c.id = wanted_id);
    END $$`

  // An outgoing message of a conversation in which nothing moves but the message: no due times, and the epoch is the writer's. No row: it is
  // to be stored the long way. `record` is the message as the REST interface shows it, without its contact.
  yield* sql`CREATE FUNCTION queue_message(wanted_organization text, wanted text, held bigint, claims boolean, record jsonb, event_id text,
      written_at timestamptz)
    RETURNS TABLE (contact_id text, epoch bigint) LANGUAGE plpgsql AS $$
    DECLARE message_id text := record->>'id'; found_contact text; found_epoch bigint;
    BEGIN
      PERFORM enter_organization(wanted_organization);
      UPDATE conversations v SET last_activity_at = GREATEST(v.last_activity_at, written_at), epoch = v.epoch + claims::int
        WHERE v.organization_id = wanted_organization AND v.id = wanted AND v.channel = 'messaging'
          AND (held IS NULL OR v.epoch = held) AND v.sla_since IS NULL AND v.sla_due_at IS NULL
          AND NOT EXISTS (SELECT 1 FROM organizations o WHERE o.id = wanted_organization AND o.sla_policy IS NOT NULL)
        RETURNING v.contact_id, v.epoch INTO found_contact, found_epoch;
      IF NOT FOUND THEN RETURN; END IF;
      INSERT INTO messages (organization_id, id, conversation_id, direction, type, content, reply_to_id, reply_to_channel_message_id, sent_by,
          status, created_at)
        VALUES (wanted_organization, message_id, wanted, 'outbound', record->>'type', record->'content', record->'replyTo'->>'messageId',
          record->'replyTo'->>'channelMessageId', record->>'sentBy', 'queued', written_at)
        ON CONFLICT DO NOTHING;
      IF NOT FOUND THEN RETURN; END IF;
      INSERT INTO outbox (organization_id, message_id, conversation_id, head, due_at, queued_at)
        VALUES (wanted_organization, message_id, wanted, NOT EXISTS (
          SELECT 1 FROM outbox o WHERE o.organization_id = wanted_organization AND o.conversation_id = wanted
        ), written_at, written_at);
      INSERT INTO events (organization_id, id, type, data, created_at)
        VALUES (wanted_organization, event_id, 'message.queued',
          jsonb_build_object('message', record || jsonb_build_object('contactId', found_contact)), written_at);
      RETURN QUERY SELECT found_contact, found_epoch;
    END $$`

  // Right before a message is handed over: the note, and what is to be handed over. `waits_since`: an answer is outstanding since then, and
  // nothing is noted. No row: the claim is over.
  yield* sql`CREATE FUNCTION begin_delivery(wanted_organization text, wanted text, claim integer, at timestamptz, silent_since timestamptz)
    RETURNS TABLE (waits_since timestamptz, type text, content jsonb, phone text, user_id text, reply_to text, reacts_to text,
      queued_at timestamptz, unanswered integer) LANGUAGE plpgsql AS $$
    DECLARE row outbox%ROWTYPE;
    BEGIN
      PERFORM enter_organization(wanted_organization);
      SELECT * INTO row FROM outbox o WHERE o.organization_id = wanted_organization AND o.message_id = wanted AND o.attempts = claim AND o.head
        FOR UPDATE;
      IF NOT FOUND THEN RETURN; END IF;
      IF row.handing_over_since > silent_since THEN
        waits_since := row.handing_over_since;
        RETURN NEXT;
        RETURN;
      END IF;
      row.unanswered := row.unanswered + (row.handing_over_since IS NOT NULL)::int;
      UPDATE outbox o SET handing_over_since = at, unanswered = row.unanswered
        WHERE o.organization_id = wanted_organization AND o.message_id = wanted;
      RETURN QUERY SELECT NULL::timestamptz, m.type, m.content, c.phone, (
          SELECT i.user_id FROM contact_identities i WHERE i.organization_id = c.organization_id AND i.contact_id = c.id AND i.channel = v.channel
          ORDER BY i.user_id LIMIT 1
        ), coalesce((
          SELECT r.channel_message_id FROM messages r WHERE r.organization_id = m.organization_id AND r.id = m.reply_to_id
        ), m.reply_to_channel_message_id), (
          SELECT t.channel_message_id FROM messages t
          WHERE m.type = 'reaction' AND t.organization_id = m.organization_id AND t.id = m.content->>'messageId'
        ), row.queued_at::timestamptz, row.unanswered
        FROM messages m JOIN conversations v ON v.organization_id = m.organization_id AND v.id = m.conversation_id
        JOIN contacts c ON c.organization_id = v.organization_id AND c.id = v.contact_id
        WHERE m.organization_id = wanted_organization AND m.id = wanted;
    END $$`
})
