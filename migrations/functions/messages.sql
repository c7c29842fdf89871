-- Messages: the list, whom one goes to, and storing outgoing ones; many of one organization at once, because a
-- statement, its commit and the wait for the disk cost several times what a message does.
--
-- The functions that take `wanted_organization` run as whoever calls them, as that organization, so row-level security
-- holds in them as everywhere. They do several things in one statement: between a service and its database, round trips
-- cost more than the work.
--
-- SET enable_…: plans are kept per connection, and one that was made while a table was small reads all of it when a
-- million rows wait. So rows are always looked up one by one, by an index.

-- A part of the list. It works as `list_contacts` does.
CREATE OR REPLACE FUNCTION list_messages(wanted_organization text, before_at timestamptz, before_id text, skips bigint, most integer,
    counted_lists text[])
  RETURNS TABLE (total integer, message messages, contact_id text, channel text)
  LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
DECLARE counted integer; ids text[]; edge_at timestamptz := coalesce(before_at, 'infinity'); edge_id text := coalesce(before_id, '');
BEGIN
  PERFORM enter_organization(wanted_organization);
  SELECT coalesce(sum(k.total), 0) INTO counted FROM list_counts k
    WHERE k.organization_id = wanted_organization AND k.list = ANY(counted_lists);
  ids := ARRAY(SELECT r.id FROM messages r
    WHERE r.organization_id = wanted_organization AND true
      AND (r.created_at, r.id) < (edge_at, edge_id)
    ORDER BY r.created_at DESC, r.id DESC LIMIT most OFFSET skips);
  RETURN QUERY SELECT counted, m, v.contact_id, v.channel FROM unnest(ids) WITH ORDINALITY AS f (id, ordinal)
    JOIN messages m ON m.organization_id = wanted_organization AND m.id = f.id
    JOIN conversations v ON v.organization_id = wanted_organization AND v.id = m.conversation_id ORDER BY f.ordinal;
  IF NOT FOUND THEN RETURN QUERY SELECT counted, NULL::messages, NULL, NULL; END IF;
END
$$;

-- Whom messages go to, each by number or by id; `place` counts from 1. The ledger of consents knows a person by the
-- hash of the number, or else of the id. Of a number that is no contact's `contact_id` and `conversation_id` are null:
-- whoever wants no messages and was then erased is known by the hash of the number alone. For an id that is none there
-- is no row. Whoever was merged into another contact is that one.
CREATE OR REPLACE FUNCTION find_recipients(wanted_organization text, wanted jsonb)
  RETURNS TABLE (place integer, contact_id text, phone text, opted_out boolean, conversation_id text)
  LANGUAGE plpgsql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  PERFORM enter_organization(wanted_organization);
  RETURN QUERY SELECT w.place::integer, c.id, s.phone, coalesce(NOT c.opted_in, true) AND coalesce((
      SELECT l.action FROM consents l WHERE l.organization_id = wanted_organization AND l.channel = 'messaging'
        AND l.phone_hash = sha256(convert_to(wanted_organization || '|' || coalesce(s.phone, 'contact:' || c.id), 'UTF8'))
        ORDER BY l.ordinal DESC LIMIT 1
    ) = 'withdrawn', false), (
      SELECT v.id FROM conversations v WHERE v.organization_id = wanted_organization AND v.contact_id = c.id AND v.channel = 'messaging'
        AND v.status <> 'RESOLVED' ORDER BY v.created_at DESC, v.id DESC LIMIT 1
    ) FROM ROWS FROM (jsonb_to_recordset(wanted) AS (phone text, "contactId" text)) WITH ORDINALITY AS w (phone, id, place) LEFT JOIN LATERAL (
      SELECT o.id, o.phone, o.opted_in FROM contacts o WHERE o.organization_id = wanted_organization AND o.id = coalesce((
          SELECT coalesce(p.merged_into, p.id) FROM contacts p WHERE p.organization_id = wanted_organization AND p.phone = w.phone
        ), (
          SELECT coalesce(i.merged_into, i.id) FROM contacts i WHERE i.organization_id = wanted_organization AND i.id = w.id
        ))
    ) c ON true CROSS JOIN LATERAL (SELECT CASE WHEN c.id IS NULL THEN w.phone ELSE c.phone END AS phone) s
    WHERE c.id IS NOT NULL OR w.phone IS NOT NULL;
END
$$;

-- Outgoing messages of conversations in which nothing moves but the message: no due times, and the epoch is the
-- writer's. What is not in the answer was not stored, and is to be stored the long way: also those whose conversation
-- somebody else is writing in just now (so nobody waits for two), and the second of one conversation. `record` is the
-- message as the REST interface shows it, without its contact.
CREATE OR REPLACE FUNCTION queue_messages(wanted_organization text, wanted jsonb)
  RETURNS TABLE (message_id text, contact_id text, epoch bigint)
  LANGUAGE plpgsql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE free text[]; has_agents boolean;
BEGIN
  PERFORM enter_organization(wanted_organization);
  IF EXISTS (SELECT 1 FROM organizations o WHERE o.id = wanted_organization AND o.sla_policy IS NOT NULL) THEN RETURN; END IF;
  has_agents := EXISTS (SELECT 1 FROM text_agents a WHERE a.organization_id = wanted_organization);
  -- A statement of its own: the next one sees what was written by whoever held the conversations before.
  -- Each by its id, whatever the plan was made for: a table that was empty then is not read through for every message.
  free := ARRAY(SELECT v.id FROM jsonb_to_recordset(wanted) AS w ("conversationId" text, held bigint, record jsonb) CROSS JOIN LATERAL (
      SELECT c.id FROM conversations c WHERE c.organization_id = wanted_organization AND c.id = w."conversationId"
        AND c.channel = 'messaging' AND (w.held IS NULL OR c.epoch = w.held) AND c.sla_since IS NULL AND c.sla_due_at IS NULL
        -- A person who answers takes what nobody has, or an AI agent.
        AND (w.record->>'type' = 'template' OR NOT starts_with(coalesce(w.record->>'sentBy', ''), 'usr_')
          OR c.assigned_user_id IS NOT NULL OR c.status = 'RESOLVED' AND c.assigned_bot_id IS NULL)
        -- What may silence a text agent changes its row, too.
        AND (NOT has_agents OR w.record->>'type' = 'template' OR NOT starts_with(w.record->>'sentBy', 'usr_')
          AND NOT starts_with(w.record->>'sentBy', 'key_') OR EXISTS (SELECT 1 FROM agent_threads t
            WHERE t.organization_id = wanted_organization AND t.conversation_id = c.id AND t.silent))
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
END
$$;
