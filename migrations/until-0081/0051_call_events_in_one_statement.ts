/**
 * What the engine tells of every call (it began, something was said, it ended), as two statements each or one: what is needed is read, what follows
 * from it is worked out by the service, and written if nothing has changed since. As in migration 50, all of them run as whoever calls them.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // A call and what its start or end depends on. A version is another text after each change of its row. `known`: the event was applied before.
  // `plain`: nothing about the conversation is due, and nothing was written in it.
  yield* sql`CREATE FUNCTION call_to_change(wanted_organization text, wanted text, event text)
    RETURNS TABLE (call calls, version text, known boolean, handed_over boolean, transferred boolean, conversation_status text,
      assigned_user_id text, assigned_agent_id text, unread_count integer, flagged boolean, last_activity_at timestamptz,
      conversation_created_at timestamptz, conversation_version text, plain boolean, contact_name text, contact_phone text,
      plan text, voice_terms jsonb, time_zone text, family text) LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM enter_organization(wanted_organization);
      RETURN QUERY SELECT k, k.xmin::text,
          EXISTS (SELECT 1 FROM call_events e WHERE e.organization_id = wanted_organization AND e.id = event),
          EXISTS (SELECT 1 FROM call_events e WHERE e.organization_id = wanted_organization AND e.call_id = wanted
            AND e.type IN ('handoff', 'moderation')),
          EXISTS (SELECT 1 FROM transfers t WHERE t.organization_id = wanted_organization AND t.call_id = wanted),
          v.status, v.assigned_user_id, v.assigned_agent_id, v.unread_count, v.flagged, v.last_activity_at::timestamptz, v.created_at,
          v.xmin::text, v.sla_since IS NULL AND v.sla_due_at IS NULL AND v.response_due_at IS NULL AND v.resolution_due_at IS NULL
            AND v.response_breached_at IS NULL AND v.resolution_breached_at IS NULL AND o.sla_policy IS NULL
            AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.organization_id = wanted_organization AND m.conversation_id = v.id),
          c.name, c.phone, o.plan, o.voice_terms, o.time_zone, a.settings ->> 'voiceFamily'
        FROM calls k JOIN organizations o ON o.id = k.organization_id
        LEFT JOIN conversations v ON v.organization_id = k.organization_id AND v.id = k.conversation_id
        LEFT JOIN contacts c ON c.organization_id = v.organization_id AND c.id = v.contact_id
        LEFT JOIN voice_agents a ON a.organization_id = k.organization_id AND a.id = k.agent_id
        WHERE k.organization_id = wanted_organization AND k.id = wanted;
    END $$`

  // The columns that are named, by their names in the record.
  yield* sql`CREATE FUNCTION write_call(wanted_organization text, wanted text, changes jsonb) RETURNS void LANGUAGE sql AS $$
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
  $$`

  // A call with its duration so far; a longer one replaces it. Terms and day stay those of the first time.
  yield* sql`CREATE FUNCTION enter_in_ledger(entry jsonb) RETURNS void LANGUAGE sql AS $$
    INSERT INTO voice_ledger AS known (organization_id, call_id, agent_id, voice_family, started_at, day, seconds, minutes,
        minutes_per_month, overage_micros_per_minute, speech_to_text_micros, language_model_micros, text_to_speech_micros)
      VALUES (entry ->> 'organizationId', entry ->> 'callId', entry ->> 'agentId', entry ->> 'family', (entry ->> 'startedAt')::timestamptz,
        (entry ->> 'day')::date, (entry ->> 'seconds')::integer, (entry ->> 'minutes')::integer, (entry ->> 'minutesPerMonth')::integer,
        (entry ->> 'overageMicrosPerMinute')::integer, (entry ->> 'speechToTextMicros')::integer,
        (entry ->> 'languageModelMicros')::integer, (entry ->> 'textToSpeechMicros')::integer)
      ON CONFLICT (organization_id, call_id) DO UPDATE SET seconds = excluded.seconds, minutes = excluded.minutes,
        speech_to_text_micros = excluded.speech_to_text_micros, updated_at = now()
      WHERE known.seconds < excluded.seconds
  $$`

  // False: something has changed since it was read, and nothing was written. `agent` takes the call's conversation. Rows are locked in the order
  // in which everybody locks them: the call, then its conversation.
  yield* sql`CREATE FUNCTION change_call(wanted_organization text, wanted text, seen text, event_id text, event_type text, changes jsonb,
      entry jsonb, agent text, conversation text, conversation_seen text, happened jsonb, at timestamptz)
    RETURNS boolean LANGUAGE plpgsql AS $$
    DECLARE moment timestamptz := date_trunc('milliseconds', now());
    BEGIN
      PERFORM enter_organization(wanted_organization);
      PERFORM 1 FROM calls k WHERE k.organization_id = wanted_organization AND k.id = wanted AND k.xmin::text = seen FOR UPDATE;
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
        UPDATE conversations v SET status = 'ASSIGNED', assigned_user_id = NULL, assigned_agent_id = agent, updated_at = moment
          WHERE v.organization_id = wanted_organization AND v.id = conversation;
      END IF;
      IF entry IS NOT NULL THEN PERFORM enter_in_ledger(entry); END IF;
      INSERT INTO events (organization_id, id, type, data, created_at)
        SELECT wanted_organization, e.value ->> 'id', e.value ->> 'type', CASE WHEN e.value ->> 'type' = 'conversation.assigned'
            THEN jsonb_set(e.value -> 'data', '{conversation,updatedAt}', to_jsonb(iso_time(moment))) ELSE e.value -> 'data' END, at
        FROM jsonb_array_elements(happened) WITH ORDINALITY e ORDER BY e.ordinality;
      RETURN true;
    END $$`

  // What was said. False: there is no such call.
  yield* sql`CREATE FUNCTION add_utterance(wanted_organization text, wanted text, event_id text, utterance_id text, utterance jsonb)
    RETURNS boolean LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM enter_organization(wanted_organization);
      PERFORM 1 FROM calls k WHERE k.organization_id = wanted_organization AND k.id = wanted FOR UPDATE;
      IF NOT FOUND THEN RETURN false; END IF;
      INSERT INTO call_events (organization_id, id, call_id, type) VALUES (wanted_organization, event_id, wanted, 'transcript')
        ON CONFLICT (organization_id, id) DO NOTHING;
      IF NOT FOUND THEN RETURN true; END IF;
      INSERT INTO utterances (organization_id, id, call_id, sequence, role, text, interrupted, start_ms, end_ms)
        VALUES (wanted_organization, utterance_id, wanted, (utterance ->> 'sequence')::integer, utterance ->> 'role', utterance ->> 'text',
          (utterance ->> 'interrupted')::boolean, (utterance ->> 'startMs')::integer, (utterance ->> 'endMs')::integer);
      RETURN true;
    END $$`
})
