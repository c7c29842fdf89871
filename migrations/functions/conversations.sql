-- Conversations: lists, opening, due times, and what analytics counts of them.
--
-- The functions that take `wanted_organization` run as whoever calls them, as that organization, so row-level security
-- holds in them as everywhere. They do several things in one statement: between a service and its database, round trips
-- cost more than the work.

-- A part of the list, each with its newest message, if there is one. It works as `list_contacts` does.
CREATE OR REPLACE FUNCTION list_conversations(wanted_organization text, wanted_status text, before_at timestamptz, before_id text,
    skips bigint, most integer, counted_lists text[])
  RETURNS TABLE (total integer, conversation conversations, contact_name text, contact_phone text, message messages)
  LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
DECLARE counted integer; ids text[]; edge_at timestamptz := coalesce(before_at, 'infinity'); edge_id text := coalesce(before_id, '');
BEGIN
  PERFORM enter_organization(wanted_organization);
  SELECT coalesce(sum(k.total), 0) INTO counted FROM list_counts k
    WHERE k.organization_id = wanted_organization AND k.list = ANY(counted_lists);
  IF wanted_status IS NULL THEN
    ids := ARRAY(SELECT r.id FROM conversations r
      WHERE r.organization_id = wanted_organization AND true
        AND (r.last_activity_at, r.id) < (edge_at, edge_id)
      ORDER BY r.last_activity_at DESC, r.id DESC LIMIT most OFFSET skips);
  ELSE
    ids := ARRAY(SELECT r.id FROM conversations r
      WHERE r.organization_id = wanted_organization AND r.status = wanted_status
        AND (r.last_activity_at, r.id) < (edge_at, edge_id)
      ORDER BY r.last_activity_at DESC, r.id DESC LIMIT most OFFSET skips);
  END IF;
  RETURN QUERY SELECT counted, v, c.name, c.phone, n.message FROM unnest(ids) WITH ORDINALITY AS f (id, ordinal)
    JOIN conversations v ON v.organization_id = wanted_organization AND v.id = f.id
    JOIN contacts c ON c.organization_id = wanted_organization AND c.id = v.contact_id
    LEFT JOIN LATERAL (SELECT m AS message FROM messages m WHERE m.organization_id = wanted_organization AND m.conversation_id = v.id
      ORDER BY m.created_at DESC, m.id DESC LIMIT 1) n ON true ORDER BY f.ordinal;
  IF NOT FOUND THEN RETURN QUERY SELECT counted, NULL::conversations, NULL, NULL, NULL::messages; END IF;
END
$$;

-- Each label of a conversation is a row of `conversation_labels`.
CREATE OR REPLACE FUNCTION keep_conversation_labels()
  RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM conversation_labels WHERE organization_id = NEW.organization_id AND conversation_id = NEW.id;
  INSERT INTO conversation_labels (organization_id, label, conversation_id)
    SELECT DISTINCT NEW.organization_id, label, NEW.id FROM unnest(NEW.labels) AS label;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER conversations_labels AFTER UPDATE OF labels ON conversations
  FOR EACH ROW EXECUTE FUNCTION keep_conversation_labels();

-- One conversation with its newest messages: it is in the first row, a message in each.
CREATE OR REPLACE FUNCTION show_conversation(wanted_organization text, wanted text, most integer)
  RETURNS TABLE (conversation conversations, contact_name text, contact_phone text, has_calls boolean, message messages)
  LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
BEGIN
  PERFORM enter_organization(wanted_organization);
  RETURN QUERY SELECT CASE WHEN coalesce(n.ordinal, 1) = 1 THEN v END, c.name, c.phone,
      EXISTS (SELECT 1 FROM calls k WHERE k.organization_id = wanted_organization AND k.conversation_id = wanted), n.message
    FROM conversations v JOIN contacts c ON c.organization_id = wanted_organization AND c.id = v.contact_id
    LEFT JOIN LATERAL (SELECT m AS message, row_number() OVER (ORDER BY m.created_at DESC, m.id DESC) AS ordinal FROM messages m
      WHERE m.organization_id = wanted_organization AND m.conversation_id = wanted
      ORDER BY m.created_at DESC, m.id DESC LIMIT most) n ON true
    WHERE v.organization_id = wanted_organization AND v.id = wanted ORDER BY n.ordinal;
END
$$;

-- The newest unresolved conversation of messages of each contact, or a new one with the id that comes with it. No row:
-- there is no such contact, it was merged into another one, or somebody else holds it just now; nobody waits for rows while others wait for him.
--
-- SET enable_…: plans are kept per connection, and one that was made while a table was small reads all of it when a
-- million rows wait. So rows are always looked up one by one, by an index.
CREATE OR REPLACE FUNCTION open_conversations(wanted_organization text, wanted jsonb)
  RETURNS TABLE (contact_id text, conversation_id text)
  LANGUAGE plpgsql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE held text[];
BEGIN
  PERFORM enter_organization(wanted_organization);
  -- Held, so that two who open one find one.
  held := ARRAY(SELECT c.id FROM contacts c WHERE c.organization_id = wanted_organization
    AND c.id IN (SELECT w."contactId" FROM jsonb_to_recordset(wanted) AS w ("contactId" text)) AND c.merged_into IS NULL
    FOR NO KEY UPDATE SKIP LOCKED);
  INSERT INTO conversations (organization_id, id, contact_id, channel)
    SELECT DISTINCT ON (w."contactId") wanted_organization, w."conversationId", w."contactId", 'messaging'
      FROM jsonb_to_recordset(wanted) AS w ("contactId" text, "conversationId" text)
      WHERE w."contactId" = ANY (held) AND NOT EXISTS (SELECT 1 FROM conversations v WHERE v.organization_id = wanted_organization
        AND v.contact_id = w."contactId" AND v.channel = 'messaging' AND v.status <> 'RESOLVED');
  RETURN QUERY SELECT h.id, v.id FROM unnest(held) AS h (id) CROSS JOIN LATERAL (
      SELECT u.id FROM conversations u WHERE u.organization_id = wanted_organization AND u.contact_id = h.id
        AND u.channel = 'messaging' AND u.status <> 'RESOLVED' ORDER BY u.created_at DESC, u.id DESC LIMIT 1
    ) v;
END
$$;

-- For a worker, which serves every organization: where there is work, and nothing of what it is.
CREATE OR REPLACE FUNCTION due_conversations(at timestamptz, most integer)
  RETURNS TABLE (organization_id text, id text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'due', true);
  RETURN QUERY SELECT v.organization_id, v.id FROM conversations v WHERE v.sla_due_at <= at ORDER BY v.sla_due_at LIMIT most;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION due_conversations(timestamptz, integer) FROM PUBLIC;

-- The same for turns of text agents.
CREATE OR REPLACE FUNCTION due_turns(at timestamptz, most integer)
  RETURNS TABLE (organization_id text, conversation_id text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'due', true);
  RETURN QUERY SELECT t.organization_id, t.conversation_id FROM agent_threads t WHERE t.due_at <= at ORDER BY t.due_at LIMIT most;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION due_turns(timestamptz, integer) FROM PUBLIC;

-- Old commands of all organizations are forgotten.
CREATE OR REPLACE FUNCTION forget_commands(before timestamptz, most integer)
  RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE gone integer;
BEGIN
  PERFORM set_config('app.cross_tenant', 'expire', true);
  DELETE FROM conversation_commands WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM conversation_commands WHERE created_at < before LIMIT most));
  GET DIAGNOSTICS gone = ROW_COUNT;
  PERFORM set_config('app.cross_tenant', '', true);
  RETURN gone;
END
$$;
REVOKE ALL ON FUNCTION forget_commands(timestamptz, integer) FROM PUBLIC;

CREATE OR REPLACE FUNCTION keep_conversation_episode()
  RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO conversation_episodes (organization_id, conversation_id, channel, opened_at, resolved_at)
      VALUES (NEW.organization_id, NEW.id, NEW.channel, NEW.created_at, CASE WHEN NEW.status = 'RESOLVED' THEN NEW.updated_at END);
  ELSIF OLD.status <> 'RESOLVED' AND NEW.status = 'RESOLVED' THEN
    UPDATE conversation_episodes SET resolved_at = clock_timestamp(), resolved_by = coalesce(NEW.assigned_user_id, NEW.assigned_bot_id, NEW.assigned_agent_id)
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
END
$$;
CREATE OR REPLACE TRIGGER conversations_begin AFTER INSERT ON conversations FOR EACH ROW EXECUTE FUNCTION keep_conversation_episode();
CREATE OR REPLACE TRIGGER conversations_go_on AFTER UPDATE OF status, last_inbound_at ON conversations FOR EACH ROW
  WHEN ((OLD.status = 'RESOLVED') <> (NEW.status = 'RESOLVED') OR OLD.last_inbound_at IS DISTINCT FROM NEW.last_inbound_at)
  EXECUTE FUNCTION keep_conversation_episode();

-- A broadcast is no answer to anybody.
CREATE OR REPLACE FUNCTION keep_first_response()
  RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  UPDATE conversation_episodes SET first_response_at = NEW.created_at, responded_by = NEW.sent_by
    WHERE organization_id = NEW.organization_id AND conversation_id = NEW.conversation_id AND resolved_at IS NULL
      AND first_inbound_at IS NOT NULL AND first_response_at IS NULL;
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER messages_answer AFTER INSERT ON messages FOR EACH ROW
  WHEN (NEW.direction = 'outbound' AND NOT starts_with(coalesce(NEW.sent_by, ''), 'brd_')) EXECUTE FUNCTION keep_first_response();
