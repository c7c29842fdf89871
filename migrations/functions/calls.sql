-- What is done for every call. What the engine tells (a call began, something was said, it ended) is two statements
-- each or one: what is needed is read, the service works out what follows, and that is written if nothing has changed
-- since.
--
-- The functions that take `wanted_organization` run as whoever calls them, as that organization, so row-level security
-- holds in them as everywhere. They do several things in one statement: between a service and its database, round trips
-- cost more than the work.

-- A call with its contact (made if new) and its voice conversation (the newest that is not resolved, or a new one). The
-- records are those of rows that are made here, without what is known here only: ids of rows that were there before,
-- and times. No call id: the id of the provider is known, and nothing was changed. `told` says that there are new
-- events.
CREATE OR REPLACE FUNCTION open_call(wanted_organization text, call jsonb, contact jsonb, conversation jsonb, over boolean,
    contact_event text, conversation_event text, call_event text, at timestamptz)
  RETURNS TABLE (call_id text, contact_id text, contact_name text, conversation_id text, created_at timestamptz, told boolean)
  LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  found_contact text; found_name text; found_conversation text; made_call text; begun timestamptz;
  moment timestamptz := date_trunc('milliseconds', now());
  -- Who calls is seen; who is called is not.
  seen timestamptz := CASE WHEN call->>'direction' = 'inbound' THEN date_trunc('milliseconds', now()) END;
  news boolean := false;
BEGIN
  PERFORM enter_organization(wanted_organization);
  IF contact IS NOT NULL THEN
    INSERT INTO contacts AS c (organization_id, id, phone, created_at, updated_at, last_seen_at)
      VALUES (wanted_organization, contact->>'id', contact->>'phone', moment, moment, seen)
      ON CONFLICT (organization_id, phone) DO NOTHING RETURNING c.id INTO found_contact;
    IF FOUND THEN
      news := true;
      INSERT INTO events (organization_id, id, type, data, created_at) VALUES (wanted_organization, contact_event, 'contact.created',
        jsonb_build_object('contact', contact || jsonb_build_object('createdAt', iso_time(moment), 'updatedAt', iso_time(moment),
          'lastSeenAt', CASE WHEN seen IS NOT NULL THEN iso_time(seen) END)), at);
    ELSE
      -- Held: a repeated webhook waits here and then finds the record of the first, and two calls of one caller find one conversation.
      SELECT c.id, c.name INTO found_contact, found_name FROM hold_contact(wanted_organization, contact->>'phone', NULL) c;
      -- Once a minute, as for who writes.
      UPDATE contacts c SET last_seen_at = seen WHERE c.organization_id = wanted_organization AND c.id = found_contact AND seen IS NOT NULL
        AND (c.last_seen_at IS NULL OR c.last_seen_at < seen - interval '1 minute');
    END IF;
  END IF;
  IF EXISTS (SELECT 1 FROM calls k WHERE k.organization_id = wanted_organization AND k.call_sid = call->>'callSid') THEN
    RETURN QUERY SELECT NULL::text, found_contact, found_name, NULL::text, NULL::timestamptz, news;
    RETURN;
  END IF;
  IF found_contact IS NOT NULL THEN
    UPDATE conversations v SET last_activity_at = now() WHERE v.organization_id = wanted_organization AND v.id = (
        SELECT u.id FROM conversations u WHERE u.organization_id = wanted_organization AND u.contact_id = found_contact
          AND u.channel = 'voice' AND u.status <> 'RESOLVED' ORDER BY u.created_at DESC, u.id DESC LIMIT 1
      ) RETURNING v.id INTO found_conversation;
    IF NOT FOUND THEN
      news := true;
      found_conversation := conversation->>'id';
      INSERT INTO conversations (organization_id, id, contact_id, channel, last_activity_at, created_at, updated_at)
        VALUES (wanted_organization, found_conversation, found_contact, 'voice', moment, moment, moment);
      INSERT INTO events (organization_id, id, type, data, created_at)
        VALUES (wanted_organization, conversation_event, 'conversation.created', jsonb_build_object('conversation',
          conversation || jsonb_build_object('lastActivityAt', iso_time(moment), 'createdAt', iso_time(moment), 'updatedAt', iso_time(moment),
            'contact', jsonb_build_object('id', found_contact, 'name', found_name, 'phone', contact->>'phone'))), at);
    END IF;
  END IF;
  INSERT INTO calls AS k (organization_id, id, agent_id, contact_id, conversation_id, direction, status, end_reason, from_address, to_address,
      call_sid, test, ended_at)
    VALUES (wanted_organization, call->>'id', call->>'agentId', found_contact, found_conversation, call->>'direction', call->>'status',
      call->>'endReason', call->>'from', call->>'to', call->>'callSid', (call->>'test')::boolean, CASE WHEN over THEN now() END)
    ON CONFLICT (organization_id, call_sid) DO NOTHING RETURNING k.id, k.created_at INTO made_call, begun;
  IF made_call IS NOT NULL AND over THEN
    news := true;
    INSERT INTO events (organization_id, id, type, data, created_at) VALUES (wanted_organization, call_event, 'call.ended',
      jsonb_build_object('call', call || jsonb_build_object('contactId', found_contact, 'conversationId', found_conversation,
        'endedAt', iso_time(now()), 'createdAt', iso_time(now()))), at);
  END IF;
  RETURN QUERY SELECT made_call, found_contact, found_name, found_conversation, begun, news;
END
$$;

-- A call and what its start or end depends on. A version is another text after each change of its row. `known`: the
-- event was applied before. `plain`: nothing about the conversation is due, nothing was written in it, it has no
-- labels and is not snoozed.
CREATE OR REPLACE FUNCTION call_to_change(wanted_organization text, wanted text, event text)
  RETURNS TABLE (call calls, version text, known boolean, handed_over boolean, transferred boolean, conversation_status text,
    assigned_user_id text, assigned_agent_id text, unread_count integer, flagged boolean, last_activity_at timestamptz,
    conversation_created_at timestamptz, conversation_version text, plain boolean, contact_name text, contact_phone text, plan text,
    voice_terms jsonb, time_zone text, family text)
  LANGUAGE plpgsql AS $$
BEGIN
  PERFORM enter_organization(wanted_organization);
  RETURN QUERY SELECT k, k.xmin::text,
      EXISTS (SELECT 1 FROM call_events e WHERE e.organization_id = wanted_organization AND e.id = event),
      EXISTS (SELECT 1 FROM call_events e WHERE e.organization_id = wanted_organization AND e.call_id = wanted
        AND e.type IN ('handoff', 'moderation')),
      EXISTS (SELECT 1 FROM transfers t WHERE t.organization_id = wanted_organization AND t.call_id = wanted),
      v.status, v.assigned_user_id, v.assigned_agent_id, v.unread_count, v.flagged, v.last_activity_at::timestamptz, v.created_at,
      v.xmin::text, v.sla_since IS NULL AND v.sla_due_at IS NULL AND v.response_due_at IS NULL AND v.resolution_due_at IS NULL
        AND v.response_breached_at IS NULL AND v.resolution_breached_at IS NULL AND o.sla_policy IS NULL AND v.labels = '{}' AND v.snoozed_until IS NULL
        AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.organization_id = wanted_organization AND m.conversation_id = v.id),
      c.name, c.phone, o.plan, o.voice_terms, o.time_zone, a.settings ->> 'voiceFamily'
    FROM calls k JOIN organizations o ON o.id = k.organization_id
    LEFT JOIN conversations v ON v.organization_id = k.organization_id AND v.id = k.conversation_id
    LEFT JOIN contacts c ON c.organization_id = v.organization_id AND c.id = v.contact_id
    LEFT JOIN voice_agents a ON a.organization_id = k.organization_id AND a.id = k.agent_id
    WHERE k.organization_id = wanted_organization AND k.id = wanted;
END
$$;

-- Writes the columns that are named, by their names in the record.
CREATE OR REPLACE FUNCTION write_call(wanted_organization text, wanted text, changes jsonb)
  RETURNS void
  LANGUAGE sql AS $$
UPDATE calls SET
  status = coalesce(changes ->> 'status', status),
  end_reason = coalesce(changes ->> 'endReason', end_reason),
  started_at = coalesce((changes ->> 'startedAt')::timestamptz, started_at),
  ended_at = coalesce((changes ->> 'endedAt')::timestamptz, ended_at),
  duration_seconds = coalesce((changes ->> 'durationSeconds')::double precision, duration_seconds),
  interruptions = coalesce((changes ->> 'interruptions')::integer, interruptions),
  false_interruptions = coalesce((changes ->> 'falseInterruptions')::integer, false_interruptions),
  tool_call_count = coalesce((changes ->> 'toolCallCount')::integer, tool_call_count),
  caller_talk_ms = coalesce((changes ->> 'callerTalkMs')::integer, caller_talk_ms),
  agent_talk_ms = coalesce((changes ->> 'agentTalkMs')::integer, agent_talk_ms),
  turns = coalesce(changes -> 'turns', turns)
WHERE organization_id = wanted_organization AND id = wanted
$$;

-- A call with its duration so far; a longer one replaces it. Terms and day stay those of the first time.
CREATE OR REPLACE FUNCTION enter_in_ledger(entry jsonb)
  RETURNS void
  LANGUAGE sql AS $$
INSERT INTO voice_ledger AS known (organization_id, call_id, agent_id, voice_family, started_at, day, seconds, minutes,
    minutes_per_month, overage_micros_per_minute, speech_to_text_micros, language_model_micros, text_to_speech_micros)
  VALUES (entry ->> 'organizationId', entry ->> 'callId', entry ->> 'agentId', entry ->> 'family', (entry ->> 'startedAt')::timestamptz,
    (entry ->> 'day')::date, (entry ->> 'seconds')::integer, (entry ->> 'minutes')::integer, (entry ->> 'minutesPerMonth')::integer,
    (entry ->> 'overageMicrosPerMinute')::integer, (entry ->> 'speechToTextMicros')::integer,
    (entry ->> 'languageModelMicros')::integer, (entry ->> 'textToSpeechMicros')::integer)
  ON CONFLICT (organization_id, call_id) DO UPDATE SET seconds = excluded.seconds, minutes = excluded.minutes,
    speech_to_text_micros = excluded.speech_to_text_micros, updated_at = now()
  WHERE known.seconds < excluded.seconds
$$;

-- False: something has changed since it was read, and nothing was written. `agent` takes the conversation of the call.
-- Rows are locked in the order in which everybody locks them: the call, then its conversation.
CREATE OR REPLACE FUNCTION change_call(wanted_organization text, wanted text, seen text, event_id text, event_type text, changes jsonb,
    entry jsonb, agent text, conversation text, conversation_seen text, happened jsonb, at timestamptz)
  RETURNS boolean
  LANGUAGE plpgsql AS $$
DECLARE moment timestamptz := date_trunc('milliseconds', now());
BEGIN
  PERFORM enter_organization(wanted_organization);
  PERFORM 1 FROM calls k WHERE k.organization_id = wanted_organization AND k.id = wanted AND k.xmin::text = seen FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  IF agent IS NOT NULL THEN
    PERFORM 1 FROM conversations v WHERE v.organization_id = wanted_organization AND v.id = conversation
      AND v.xmin::text = conversation_seen FOR NO KEY UPDATE;
    IF NOT FOUND THEN RETURN false; END IF;
    IF EXISTS (SELECT 1 FROM call_events e WHERE e.organization_id = wanted_organization AND e.call_id = wanted
      AND e.type IN ('handoff', 'moderation')) THEN RETURN false; END IF;
  END IF;
  -- One that gave its call away goes on elsewhere.
  IF event_type = 'call_end' AND EXISTS (
    SELECT 1 FROM transfers t WHERE t.organization_id = wanted_organization AND t.call_id = wanted
  ) THEN RETURN false; END IF;
  INSERT INTO call_events (organization_id, id, call_id, type) VALUES (wanted_organization, event_id, wanted, event_type)
    ON CONFLICT (organization_id, id) DO NOTHING;
  IF NOT FOUND THEN RETURN true; END IF;
  PERFORM write_call(wanted_organization, wanted, changes);
  IF agent IS NOT NULL THEN
    UPDATE conversations v SET status = 'ASSIGNED', assigned_user_id = NULL, assigned_bot_id = NULL, assigned_agent_id = agent, updated_at = moment
      WHERE v.organization_id = wanted_organization AND v.id = conversation;
  END IF;
  IF entry IS NOT NULL THEN PERFORM enter_in_ledger(entry); END IF;
  INSERT INTO events (organization_id, id, type, data, created_at)
    SELECT wanted_organization, e.value ->> 'id', e.value ->> 'type', CASE WHEN e.value ->> 'type' = 'conversation.assigned'
        THEN jsonb_set(e.value -> 'data', '{conversation,updatedAt}', to_jsonb(iso_time(moment))) ELSE e.value -> 'data' END, at
    FROM jsonb_array_elements(happened) WITH ORDINALITY e ORDER BY e.ordinality;
  RETURN true;
END
$$;

-- What was said. Words of an erased call are only noted as applied. False: there is no such call.
CREATE OR REPLACE FUNCTION add_utterance(wanted_organization text, wanted text, event_id text, utterance_id text, utterance jsonb)
  RETURNS boolean
  LANGUAGE plpgsql AS $$
DECLARE
  is_erased boolean;
  is_replaced boolean;
BEGIN
  PERFORM enter_organization(wanted_organization);
  -- An engine that took the call over after this one records this utterance itself.
  SELECT k.erased, EXISTS (SELECT FROM jsonb_each_text(k.takeovers) AS later (fence, first)
        WHERE later.fence::integer > coalesce((utterance ->> 'fence')::integer, 0)
          AND later.first::integer <= (utterance ->> 'sequence')::integer) INTO is_erased, is_replaced
    FROM calls k WHERE k.organization_id = wanted_organization AND k.id = wanted FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  IF is_replaced THEN RETURN true; END IF;
  INSERT INTO call_events (organization_id, id, call_id, type) VALUES (wanted_organization, event_id, wanted, 'transcript')
    ON CONFLICT (organization_id, id) DO NOTHING;
  IF NOT FOUND OR is_erased THEN RETURN true; END IF;
  INSERT INTO utterances (organization_id, id, call_id, sequence, role, text, interrupted, start_ms, end_ms, sources, "by")
    VALUES (wanted_organization, utterance_id, wanted, (utterance ->> 'sequence')::integer, utterance ->> 'role', utterance ->> 'text',
      (utterance ->> 'interrupted')::boolean, (utterance ->> 'startMs')::integer, (utterance ->> 'endMs')::integer,
      utterance -> 'sources', utterance ->> 'by');
  RETURN true;
END
$$;

-- For a worker, which serves every organization: where there is work, and nothing of what it is.
CREATE OR REPLACE FUNCTION organizations_to_dial()
  RETURNS SETOF text
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'lookup', true);
  RETURN QUERY SELECT DISTINCT organization_id FROM placements WHERE state <> 'done';
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION organizations_to_dial() FROM PUBLIC;

-- Calls whose end the provider is to be asked for. A call that its agent gave away counts as completed while a human
-- talks with the caller; those that still keep a human, or a place in a queue, are asked for like the unfinished ones.
CREATE OR REPLACE FUNCTION unfinished_calls(created_before timestamptz, asked_before timestamptz)
  RETURNS TABLE (organization_id text, id text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'lookup', true);
  RETURN QUERY SELECT u.organization_id, u.id FROM (
      SELECT c.organization_id, c.id, c.call_sid, c.provider_asked_at, c.created_at FROM calls c
        WHERE c.status IN ('queued', 'ringing', 'in_progress') AND c.created_at < created_before
      UNION
      SELECT c.organization_id, c.id, c.call_sid, c.provider_asked_at, c.created_at
        FROM transfers t JOIN calls c ON c.organization_id = t.organization_id AND c.id = t.call_id
        WHERE t.outcome IN ('dialing', 'queued') AND t.requested_at < created_before
          AND coalesce(c.provider_status, 'queued') IN ('queued', 'ringing', 'in_progress')
    ) u
    WHERE u.call_sid IS NOT NULL AND (u.provider_asked_at IS NULL OR u.provider_asked_at < asked_before)
    ORDER BY u.provider_asked_at NULLS FIRST, u.created_at LIMIT 100;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION unfinished_calls(timestamptz, timestamptz) FROM PUBLIC;

-- Calls that are over by the provider's word, and were given to an engine that has said nothing of them: its process
-- died before their stream came. An outbound call that nobody answered was given to none.
CREATE OR REPLACE FUNCTION calls_without_engine(ended_after timestamptz, ended_before timestamptz)
  RETURNS TABLE (organization_id text, id text, status text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'lookup', true);
  RETURN QUERY SELECT c.organization_id, c.id, c.status FROM calls c
    WHERE c.end_reason IS NULL AND c.started_at IS NULL AND c.ended_at > ended_after AND c.ended_at < ended_before
      AND c.status IN ('completed', 'busy', 'no_answer', 'failed', 'canceled') AND (c.direction = 'inbound' OR c.status = 'completed')
    ORDER BY c.ended_at LIMIT 100;
  -- No provider tells of the end of a test call, and its address is good for a minute.
  RETURN QUERY SELECT c.organization_id, c.id, 'failed' FROM calls c
    WHERE c.test AND c.status = 'ringing' AND c.end_reason IS NULL AND c.created_at > ended_after AND c.created_at < ended_before
    ORDER BY c.created_at LIMIT 100;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION calls_without_engine(timestamptz, timestamptz) FROM PUBLIC;

CREATE OR REPLACE FUNCTION due_voicemails(at timestamptz, most integer)
  RETURNS TABLE (organization_id text, recording_sid text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'lookup', true);
  RETURN QUERY SELECT v.organization_id, v.recording_sid FROM voicemails v
    WHERE v.step NOT IN ('done', 'given_up') AND v.due_at <= at ORDER BY v.due_at LIMIT most;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION due_voicemails(timestamptz, integer) FROM PUBLIC;

-- A call whose end is told is summed up some seconds later, when the last of its words have come. One that comes back
-- from a human ends again, and is summed up again.
CREATE OR REPLACE FUNCTION await_summary()
  RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO call_summaries AS s (organization_id, call_id, state, due_at, updated_at)
    SELECT NEW.organization_id, k.id, 'waiting', NEW.created_at + interval '5 seconds', NEW.created_at FROM calls k
      WHERE k.organization_id = NEW.organization_id AND k.id = NEW.data -> 'call' ->> 'id' AND NOT k.erased
    ON CONFLICT (organization_id, call_id) DO UPDATE SET state = 'waiting', attempts = s.attempts + 1, due_at = excluded.due_at,
      text = NULL, outcome = NULL, reason = NULL, next_step = NULL, fields = NULL, problem = NULL, updated_at = excluded.updated_at;
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER events_end_calls AFTER INSERT ON events
  FOR EACH ROW WHEN (NEW.type = 'call.ended') EXECUTE FUNCTION await_summary();

CREATE OR REPLACE FUNCTION due_summaries(at timestamptz, most integer)
  RETURNS TABLE (organization_id text, call_id text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'lookup', true);
  RETURN QUERY SELECT s.organization_id, s.call_id FROM call_summaries s
    WHERE s.state = 'waiting' AND s.due_at <= at ORDER BY s.due_at LIMIT most;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION due_summaries(timestamptz, integer) FROM PUBLIC;

-- The slowest turn of a call, by which slow calls are found.
CREATE OR REPLACE FUNCTION keep_slowest_turn()
  RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  NEW.slowest_ms := (SELECT max((turn ->> 'firstFrameMs')::double precision) FROM jsonb_array_elements(NEW.turns) AS turn);
  RETURN NEW;
END
$$;
CREATE OR REPLACE TRIGGER calls_slowest BEFORE UPDATE OF turns ON calls FOR EACH ROW
  WHEN (OLD.turns IS DISTINCT FROM NEW.turns) EXECUTE FUNCTION keep_slowest_turn();
