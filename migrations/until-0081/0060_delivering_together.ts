/**
 * What is done for every message on its way to the channel, for many messages of one organization at once, as storing them is (migration 46):
 * conversations opened, handing over begun, reports applied. All of them run as whoever calls them, so row-level security holds in them. Nobody waits
 * for rows while others wait for him: what somebody else holds is left out, and done alone.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** As in migration 46: rows are looked up one by one, by an index, however small the table was when the plan was made. */
const lookingUp = "SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Each contact's newest unresolved conversation of messages, or a new one with the id that comes with it. No row: there is no such contact, or
  // somebody else holds it just now.
  yield* sql`CREATE FUNCTION open_conversations(wanted_organization text, wanted jsonb)
    RETURNS TABLE (contact_id text, conversation_id text) LANGUAGE plpgsql ${sql.literal(lookingUp)} AS $$
    #variable_conflict use_column
    DECLARE held text[];
    BEGIN
      PERFORM enter_organization(wanted_organization);
      -- Held, so that two who open one find one.
      held := ARRAY(SELECT c.id FROM contacts c WHERE c.organization_id = wanted_organization
        AND c.id IN (SELECT w."contactId" FROM jsonb_to_recordset(wanted) AS w ("contactId" text)) FOR UPDATE SKIP LOCKED);
      INSERT INTO conversations (organization_id, id, contact_id, channel)
        SELECT DISTINCT ON (w."contactId") wanted_organization, w."conversationId", w."contactId", 'messaging'
          FROM jsonb_to_recordset(wanted) AS w ("contactId" text, "conversationId" text)
          WHERE w."contactId" = ANY (held) AND NOT EXISTS (SELECT 1 FROM conversations v WHERE v.organization_id = wanted_organization
            AND v.contact_id = w."contactId" AND v.channel = 'messaging' AND v.status <> 'RESOLVED');
      RETURN QUERY SELECT h.id, v.id FROM unnest(held) AS h (id) CROSS JOIN LATERAL (
          SELECT u.id FROM conversations u WHERE u.organization_id = wanted_organization AND u.contact_id = h.id
            AND u.channel = 'messaging' AND u.status <> 'RESOLVED' ORDER BY u.created_at DESC, u.id DESC LIMIT 1
        ) v;
    END $$`

  // Right before messages are handed over: the notes, and what is to be handed over. `waits_since`: an answer is outstanding since then, and
  // nothing is noted. No row: the claim is over.
  yield* sql`DROP FUNCTION begin_delivery(text, text, integer, timestamptz, timestamptz)`
  yield* sql`CREATE FUNCTION begin_deliveries(wanted_organization text, claims jsonb)
    RETURNS TABLE (message_id text, waits_since timestamptz, type text, content jsonb, phone text, user_id text, reply_to text, reacts_to text,
      queued_at timestamptz, unanswered integer) LANGUAGE plpgsql ${sql.literal(lookingUp)} AS $$
    #variable_conflict use_column
    DECLARE held text[];
    BEGIN
      PERFORM enter_organization(wanted_organization);
      held := ARRAY(SELECT o.message_id FROM (
          SELECT * FROM jsonb_to_recordset(claims) AS r ("messageId" text, attempt integer) ORDER BY "messageId"
        ) c CROSS JOIN LATERAL (
          SELECT x.message_id FROM outbox x WHERE x.organization_id = wanted_organization AND x.message_id = c."messageId"
            AND x.attempts = c.attempt AND x.head LIMIT 1 FOR UPDATE
        ) o);
      RETURN QUERY WITH begun AS (
        UPDATE outbox o SET handing_over_since = c.at, unanswered = o.unanswered + (o.handing_over_since IS NOT NULL)::int
          FROM jsonb_to_recordset(claims) AS c ("messageId" text, at timestamptz, "silentSince" timestamptz)
          WHERE o.organization_id = wanted_organization AND o.message_id = c."messageId" AND o.message_id = ANY (held)
            AND (o.handing_over_since IS NULL OR o.handing_over_since <= c."silentSince")
          RETURNING o.message_id, o.queued_at, o.unanswered
      ) SELECT b.message_id, NULL::timestamptz, m.type, m.content, c.phone, (
          SELECT i.user_id FROM contact_identities i WHERE i.organization_id = wanted_organization AND i.contact_id = c.id AND i.channel = v.channel
            ORDER BY i.user_id LIMIT 1
        ), coalesce((
          SELECT r.channel_message_id FROM messages r WHERE r.organization_id = wanted_organization AND r.id = m.reply_to_id
        ), m.reply_to_channel_message_id), (
          SELECT t.channel_message_id FROM messages t
            WHERE m.type = 'reaction' AND t.organization_id = wanted_organization AND t.id = m.content->>'messageId'
        ), b.queued_at::timestamptz, b.unanswered
        FROM begun b JOIN messages m ON m.organization_id = wanted_organization AND m.id = b.message_id
        JOIN conversations v ON v.organization_id = wanted_organization AND v.id = m.conversation_id
        JOIN contacts c ON c.organization_id = wanted_organization AND c.id = v.contact_id
      UNION ALL SELECT o.message_id, o.handing_over_since::timestamptz, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
        FROM outbox o WHERE o.organization_id = wanted_organization AND o.message_id = ANY (held)
          AND NOT EXISTS (SELECT 1 FROM begun b WHERE b.message_id = o.message_id);
    END $$`

  // Messages that the channel reports on, by its id or else by ours, held with their conversations until the transaction ends, as by all who change
  // messages. `place` counts from 1. No row: it is not known, or (unless one is patient) somebody else holds its conversation just now.
  yield* sql`CREATE FUNCTION hold_reported(wanted_organization text, wanted jsonb, patient boolean)
    RETURNS TABLE (place integer, message messages, contact_id text, channel text) LANGUAGE plpgsql ${sql.literal(lookingUp)} AS $$
    #variable_conflict use_column
    DECLARE found text[]; theirs text[]; held text[];
    BEGIN
      PERFORM enter_organization(wanted_organization);
      found := ARRAY(SELECT coalesce((
          SELECT m.id FROM messages m WHERE m.organization_id = wanted_organization AND m.channel_message_id = w.theirs LIMIT 1
        ), (
          SELECT m.id FROM messages m WHERE m.organization_id = wanted_organization AND m.id = w.ours AND m.direction = 'outbound'
        )) FROM ROWS FROM (
          jsonb_to_recordset(wanted) AS ("channelMessageId" text, "messageId" text)
        ) WITH ORDINALITY AS w (theirs, ours, place) ORDER BY w.place);
      theirs := ARRAY(SELECT m.conversation_id FROM messages m WHERE m.organization_id = wanted_organization AND m.id = ANY (found));
      IF patient THEN
        PERFORM 1 FROM conversations v WHERE v.organization_id = wanted_organization AND v.id = ANY (theirs) ORDER BY v.id FOR NO KEY UPDATE;
      END IF;
      held := ARRAY(SELECT v.id FROM conversations v WHERE v.organization_id = wanted_organization AND v.id = ANY (theirs)
        FOR NO KEY UPDATE SKIP LOCKED);
      RETURN QUERY SELECT w.place::integer, m, v.contact_id, v.channel FROM unnest(found) WITH ORDINALITY AS w (id, place)
        JOIN messages m ON m.organization_id = wanted_organization AND m.id = w.id AND m.conversation_id = ANY (held)
        JOIN conversations v ON v.organization_id = wanted_organization AND v.id = m.conversation_id FOR NO KEY UPDATE OF m;
    END $$`

  // What became of them: they are out of the outbox, whatever was reported.
  yield* sql`CREATE FUNCTION apply_reports(wanted_organization text, changed jsonb) RETURNS void LANGUAGE plpgsql ${sql.literal(lookingUp)} AS $$
    BEGIN
      DELETE FROM outbox o USING jsonb_to_recordset(changed) AS c (id text)
        WHERE o.organization_id = wanted_organization AND o.message_id = c.id;
      UPDATE messages m SET status = c.status, sent_at = c."sentAt", delivered_at = c."deliveredAt", read_at = c."readAt", failed_at = c."failedAt",
          failure_code = c."failureCode", failure_reason = c."failureReason", channel_message_id = c."channelMessageId"
        FROM jsonb_to_recordset(changed) AS c (id text, status text, "sentAt" timestamptz, "deliveredAt" timestamptz, "readAt" timestamptz,
          "failedAt" timestamptz, "failureCode" text, "failureReason" text, "channelMessageId" text)
        WHERE m.organization_id = wanted_organization AND m.id = c.id;
    END $$`
})
