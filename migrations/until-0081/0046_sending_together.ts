/**
 * What is done for every message that is sent, for many messages of one organization at once: a statement, its commit and the wait for the disk
 * cost several times what a message does. Takes the place of the functions for one message (migration 36).
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Plans are kept per connection, and one that was made while a table was small reads all of it when a million wait: rows are always looked up
 * one by one, by an index.
 */
const lookingUp = "SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Whom messages go to, each by number or by id; `place` counts from 1. Hashes as the ledger of consents does.
  yield* sql`DROP FUNCTION find_recipient(text, text, text)`
  yield* sql`CREATE FUNCTION find_recipients(wanted_organization text, wanted jsonb)
    RETURNS TABLE (place integer, contact_id text, phone text, opted_out boolean, conversation_id text) LANGUAGE plpgsql ${sql.literal(lookingUp)} AS $$
    BEGIN
      PERFORM enter_organization(wanted_organization);
      RETURN QUERY SELECT w.place::integer, c.id, c.phone, NOT c.opted_in AND coalesce((
          SELECT s.action FROM consents s WHERE s.organization_id = wanted_organization AND s.channel = 'messaging'
            AND s.phone_hash = sha256(convert_to(wanted_organization || '|' || c.phone, 'UTF8')) ORDER BY s.ordinal DESC LIMIT 1
        ) = 'withdrawn', false), (
          SELECT v.id FROM conversations v WHERE v.organization_id = wanted_organization AND v.contact_id = c.id AND v.channel = 'messaging'
            AND v.status <> 'RESOLVED' ORDER BY v.created_at DESC, v.id DESC LIMIT 1
        ) FROM ROWS FROM (jsonb_to_recordset(wanted) AS (phone text, "contactId" text)) WITH ORDINALITY AS w (phone, id, place) CROSS JOIN LATERAL (
          SELECT p.id, p.phone, p.opted_in FROM contacts p WHERE p.organization_id = wanted_organization AND p.phone = w.phone
          UNION ALL
          SELECT i.id, i.phone, i.opted_in FROM contacts i WHERE i.organization_id = wanted_organization AND i.id = w.id
        ) c;
    END $$`

  // Outgoing messages of conversations in which nothing moves but the message: no due times, and the epoch is the writer's. What is not in the
  // answer was not stored, and is to be stored the long way: also those whose conversation somebody else is writing in just now (so nobody waits
  // for two), and the second of one conversation. `record` is the message as the REST interface shows it, without its contact.
  yield* sql`DROP FUNCTION queue_message(text, text, bigint, boolean, jsonb, text, timestamptz)`
  yield* sql`CREATE FUNCTION queue_messages(wanted_organization text, wanted jsonb)
    RETURNS TABLE (message_id text, contact_id text, epoch bigint) LANGUAGE plpgsql ${sql.literal(lookingUp)} AS $$
    #variable_conflict use_column
    DECLARE free text[];
    BEGIN
      PERFORM enter_organization(wanted_organization);
      IF EXISTS (SELECT 1 FROM organizations o WHERE o.id = wanted_organization AND o.sla_policy IS NOT NULL) THEN RETURN; END IF;
      -- A statement of its own: the next one sees what was written by whoever held the conversations before.
      -- Each by its id, whatever the plan was made for: a table that was empty then is not read through for every message.
      free := ARRAY(SELECT v.id FROM jsonb_to_recordset(wanted) AS w ("conversationId" text, held bigint) CROSS JOIN LATERAL (
          SELECT c.id FROM conversations c WHERE c.organization_id = wanted_organization AND c.id = w."conversationId"
            AND c.channel = 'messaging' AND (w.held IS NULL OR c.epoch = w.held) AND c.sla_since IS NULL AND c.sla_due_at IS NULL
            LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
        ) v);
      RETURN QUERY WITH taken AS (
        UPDATE conversations v SET last_activity_at = GREATEST(v.last_activity_at, w."writtenAt"), epoch = v.epoch + w.claims::int
          FROM jsonb_to_recordset(wanted) AS w ("conversationId" text, claims boolean, "eventId" text, "writtenAt" timestamptz, record jsonb)
          WHERE v.organization_id = wanted_organization AND v.id = w."conversationId" AND v.id = ANY (free)
          RETURNING v.id, v.contact_id, v.epoch, w."eventId" AS event_id, w."writtenAt" AS written_at, w.record
      ), made AS (
        INSERT INTO messages (organization_id, id, conversation_id, direction, type, content, reply_to_id, reply_to_channel_message_id, sent_by,
            status, created_at)
          SELECT wanted_organization, t.record->>'id', t.id, 'outbound', t.record->>'type', t.record->'content',
            t.record->'replyTo'->>'messageId', t.record->'replyTo'->>'channelMessageId', t.record->>'sentBy', 'queued', t.written_at FROM taken t
          ON CONFLICT DO NOTHING RETURNING id, conversation_id
      ), queued AS (
        INSERT INTO outbox (organization_id, message_id, conversation_id, head, due_at, queued_at)
          SELECT wanted_organization, m.id, m.conversation_id, coalesce((
              SELECT false FROM outbox o WHERE o.organization_id = wanted_organization AND o.conversation_id = m.conversation_id LIMIT 1
            ), true), t.written_at, t.written_at FROM made m JOIN taken t ON t.id = m.conversation_id
      ), told AS (
        INSERT INTO events (organization_id, id, type, data, created_at)
          SELECT wanted_organization, t.event_id, 'message.queued',
            jsonb_build_object('message', t.record || jsonb_build_object('contactId', t.contact_id)), t.written_at
          FROM made m JOIN taken t ON t.id = m.conversation_id
      ) SELECT m.id, t.contact_id, t.epoch FROM made m JOIN taken t ON t.id = m.conversation_id;
    END $$`
})
