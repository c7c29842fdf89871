-- Messages on their way to the channel, many of one organization at once. Nobody waits for rows while others wait for
-- him: what somebody else holds is left out, and done alone.
--
-- The functions that take `wanted_organization` run as whoever calls them, as that organization, so row-level security
-- holds in them as everywhere. They do several things in one statement: between a service and its database, round trips
-- cost more than the work.
--
-- SET enable_…: plans are kept per connection, and one that was made while a table was small reads all of it when a
-- million rows wait. So rows are always looked up one by one, by an index.

-- The next message of a conversation becomes its head. Whoever stores a message holds its conversation, so the next
-- head is looked for when nobody does: a message is either seen here, or its writer sees that there is no head any
-- more.
CREATE OR REPLACE FUNCTION promote_in_outbox()
  RETURNS trigger
  LANGUAGE plpgsql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_bitmapscan = off
    SET enable_sort = off AS $$
BEGIN
  PERFORM 1 FROM conversations WHERE organization_id = OLD.organization_id AND id = OLD.conversation_id FOR NO KEY UPDATE;
  UPDATE outbox SET head = true WHERE organization_id = OLD.organization_id AND message_id = (
    SELECT message_id FROM outbox WHERE organization_id = OLD.organization_id AND conversation_id = OLD.conversation_id
    ORDER BY position LIMIT 1);
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER outbox_promotes AFTER DELETE ON outbox FOR EACH ROW WHEN (OLD.head) EXECUTE FUNCTION promote_in_outbox();

-- For a worker, which serves every organization: where there is work, and nothing of what it is.
-- Skips from one organization to the next, so that a long queue of one costs the others nothing.
CREATE OR REPLACE FUNCTION organizations_to_deliver(at timestamptz)
  RETURNS SETOF text
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
    SET enable_mergejoin = off SET enable_bitmapscan = off SET enable_sort = off AS $$
DECLARE found_id text := '';
BEGIN
  PERFORM set_config('app.cross_tenant', 'lookup', true);
  LOOP
    SELECT o.organization_id INTO found_id FROM outbox o
      WHERE o.head AND o.organization_id > found_id ORDER BY o.organization_id LIMIT 1;
    EXIT WHEN NOT FOUND;
    IF EXISTS (SELECT 1 FROM outbox o WHERE o.head AND o.organization_id = found_id AND o.due_at <= at) THEN
      RETURN NEXT found_id;
    END IF;
  END LOOP;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION organizations_to_deliver(timestamptz) FROM PUBLIC;

-- The disk is not waited for: a claim that the database forgets when it crashes is made again. Nothing was handed over
-- by then, since the note of that (`begin_deliveries`) waits for the disk, and for all that was written before it. The
-- first rows come from an index, in its order.
CREATE OR REPLACE FUNCTION claim_messages(wanted_organization text, at timestamptz, until timestamptz, most integer)
  RETURNS TABLE (message_id text, attempts integer)
  LANGUAGE plpgsql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_bitmapscan = off
    SET enable_sort = off AS $$
#variable_conflict use_column
DECLARE due text[];
BEGIN
  PERFORM enter_organization(wanted_organization);
  PERFORM set_config('synchronous_commit', 'off', true);
  due := ARRAY(SELECT o.message_id FROM outbox o WHERE o.organization_id = wanted_organization AND o.head AND o.due_at <= at
    ORDER BY o.due_at LIMIT most FOR NO KEY UPDATE SKIP LOCKED);
  RETURN QUERY UPDATE outbox o SET attempts = o.attempts + 1, due_at = until
    WHERE o.organization_id = wanted_organization AND o.message_id = ANY (due) RETURNING o.message_id, o.attempts;
END
$$;

-- Right before messages are handed over: the notes, and what is to be handed over. `waits_since`: an answer is
-- outstanding since then, and nothing is noted. No row: the claim is over. `team_id` and so on: the thread of a
-- conversation of team chat.
DROP FUNCTION IF EXISTS begin_deliveries(text, jsonb);
CREATE OR REPLACE FUNCTION begin_deliveries(wanted_organization text, claims jsonb)
  RETURNS TABLE (message_id text, waits_since timestamptz, type text, content jsonb, phone text, user_id text, reply_to text,
    reacts_to text, queued_at timestamptz, unanswered integer, team_id text, channel_id text, thread_id text)
  LANGUAGE plpgsql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE held text[];
BEGIN
  PERFORM enter_organization(wanted_organization);
  held := ARRAY(SELECT o.message_id FROM (
      SELECT * FROM jsonb_to_recordset(claims) AS r ("messageId" text, attempt integer) ORDER BY "messageId"
    ) c CROSS JOIN LATERAL (
      SELECT x.message_id FROM outbox x WHERE x.organization_id = wanted_organization AND x.message_id = c."messageId"
        AND x.attempts = c.attempt AND x.head LIMIT 1 FOR NO KEY UPDATE
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
    ), b.queued_at::timestamptz, b.unanswered, h.team_id, h.channel_id, h.thread_id
    FROM begun b JOIN messages m ON m.organization_id = wanted_organization AND m.id = b.message_id
    JOIN conversations v ON v.organization_id = wanted_organization AND v.id = m.conversation_id
    JOIN contacts c ON c.organization_id = wanted_organization AND c.id = v.contact_id
    LEFT JOIN chat_threads h ON h.organization_id = wanted_organization AND h.conversation_id = v.id
  UNION ALL SELECT o.message_id, o.handing_over_since::timestamptz, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
    FROM outbox o WHERE o.organization_id = wanted_organization AND o.message_id = ANY (held)
      AND NOT EXISTS (SELECT 1 FROM begun b WHERE b.message_id = o.message_id);
END
$$;

-- Messages that the channel reports on, by its id or else by ours, held with their conversations until the transaction
-- ends, as by all who change messages. `place` counts from 1. No row: it is not known, or (unless one is `patient`)
-- somebody else holds its conversation just now.
CREATE OR REPLACE FUNCTION hold_reported(wanted_organization text, wanted jsonb, patient boolean)
  RETURNS TABLE (place integer, message messages, contact_id text, channel text)
  LANGUAGE plpgsql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
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
END
$$;

-- What became of messages: they are out of the outbox, whatever was reported.
CREATE OR REPLACE FUNCTION apply_reports(wanted_organization text, changed jsonb)
  RETURNS void
  LANGUAGE plpgsql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  DELETE FROM outbox o USING jsonb_to_recordset(changed) AS c (id text)
    WHERE o.organization_id = wanted_organization AND o.message_id = c.id;
  UPDATE messages m SET status = c.status, sent_at = c."sentAt", delivered_at = c."deliveredAt", read_at = c."readAt", failed_at = c."failedAt",
      failure_code = c."failureCode", failure_reason = c."failureReason", channel_message_id = c."channelMessageId"
    FROM jsonb_to_recordset(changed) AS c (id text, status text, "sentAt" timestamptz, "deliveredAt" timestamptz, "readAt" timestamptz,
      "failedAt" timestamptz, "failureCode" text, "failureReason" text, "channelMessageId" text)
    WHERE m.organization_id = wanted_organization AND m.id = c.id;
END
$$;

-- What waits, over all organizations, for the metrics of operators: numbers, and nothing of whose they are. Counts go
-- as far as `most`, and each is of an index that holds only what waits: asking stays cheap however much there is. The
-- oldest message of a conversation is its head. The oldest event is that of the oldest transaction under way, which
-- every reader of the log stops before.
CREATE OR REPLACE FUNCTION messaging_backlog(most integer)
  RETURNS TABLE (outbox bigint, outbox_oldest timestamptz, webhooks bigint, pushes bigint, broadcasts_running bigint,
    broadcasts_scheduled bigint, event_held_back timestamptz)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'push', true);
  pushes := (SELECT count(*) FROM (SELECT 1 FROM push_notifications ORDER BY due_at LIMIT most) waiting);
  PERFORM set_config('app.cross_tenant', 'directory', true);
  webhooks := (SELECT count(*) FROM (SELECT 1 FROM webhook_deliveries d WHERE d.due_at IS NOT NULL
    ORDER BY d.organization_id, d.endpoint_id, d.due_at LIMIT most) waiting);
  event_held_back := (SELECT e.created_at FROM events e WHERE e.transaction >= pg_snapshot_xmin(pg_current_snapshot())
    ORDER BY e.transaction, e.position LIMIT 1);
  PERFORM set_config('app.cross_tenant', 'lookup', true);
  outbox := (SELECT count(*) FROM (SELECT 1 FROM outbox ORDER BY outbox.organization_id, outbox.message_id LIMIT most) waiting);
  outbox_oldest := (SELECT o.queued_at FROM outbox o WHERE o.head ORDER BY o.queued_at LIMIT 1);
  broadcasts_running := (SELECT count(*) FROM broadcasts b WHERE b.status = 'running');
  broadcasts_scheduled := (SELECT count(*) FROM broadcasts b WHERE b.status = 'scheduled');
  PERFORM set_config('app.cross_tenant', '', true);
  RETURN NEXT;
END
$$;
REVOKE ALL ON FUNCTION messaging_backlog(integer) FROM PUBLIC;
