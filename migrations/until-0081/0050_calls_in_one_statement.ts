/**
 * What is done for every call that comes, as one statement each: between a service and its database round trips cost more than the work. All of them
 * run as whoever calls them, as the organization they are given (`enter_organization`), so row-level security holds in them as everywhere.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Who answers a called number, by id, each with a text that is another one after each change of the row. An agent without the number's row
  // is none of this number.
  yield* sql`CREATE FUNCTION find_called(wanted_organization text, wanted_phone text)
    RETURNS TABLE (organization_version text, agent_id text, agent_version text) LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM enter_organization(wanted_organization);
      RETURN QUERY SELECT o.xmin::text || ' ' || o.updated_at::text, a.id, a.xmin::text || ' ' || n.xmin::text || ' ' || a.updated_at::text
        FROM organizations o
        LEFT JOIN phone_numbers n ON n.organization_id = o.id AND n.phone = wanted_phone
        LEFT JOIN voice_agents a ON a.organization_id = n.organization_id AND a.id = n.agent_id
        WHERE o.id = wanted_organization;
    END $$`

  // Times in events are written as the REST interface writes them.
  yield* sql`CREATE FUNCTION iso_time(at timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  $$`

  // A call with its contact (made if new) and its voice conversation (the newest that is not resolved, or a new one). The records are those of
  // rows that are made here, without what is known here only: ids of rows that were there before, and times. No call id: the provider's id is known,
  // and nothing was changed. `told` says that there are new events.
  yield* sql.unsafe(`CREATE FUNCTION open_call(wanted_organization text, call jsonb, contact jsonb, conversation jsonb, over boolean,
      contact_event text, conversation_event text, call_event text, at timestamptz)
    RETURNS TABLE (call_id text, contact_id text, contact_name text, conversation_id text, created_at timestamptz, told boolean)
    LANGUAGE plpgsql AS $$
    #variable_conflict use_column
    DECLARE
      found_contact text; found_name text; found_conversation text; made_call text; begun timestamptz;
      moment timestamptz := date_trunc('milliseconds', now());
      news boolean := false;
    BEGIN
      PERFORM enter_organization(wanted_organization);
      IF contact IS NOT NULL THEN
        INSERT INTO contacts AS c (organization_id, id, phone, created_at, updated_at)
          VALUES (wanted_organization, contact->>'id', contact->>'phone', moment, moment)
          ON CONFLICT (organization_id, phone) DO NOTHING RETURNING c.id INTO found_contact;
        IF FOUND THEN
          news := true;
          INSERT INTO events (organization_id, id, type, data, created_at) VALUES (wanted_organization, contact_event, 'contact.created',
            jsonb_build_object('contact', contact || jsonb_build_object('createdAt', iso_time(moment), 'updatedAt', iso_time(moment))), at);
        ELSE
          -- Held: a repeated webhook waits here and then finds the record of the first, and two calls of one caller find one conversation.
          SELECT c.id, c.name INTO found_contact, found_name FROM contacts c
            WHERE c.organization_id = wanted_organization AND c.phone = contact->>'phone' FOR UPDATE;
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
          call_sid, ended_at)
        VALUES (wanted_organization, call->>'id', call->>'agentId', found_contact, found_conversation, call->>'direction', call->>'status',
          call->>'endReason', call->>'from', call->>'to', call->>'callSid', CASE WHEN over THEN now() END)
        ON CONFLICT (organization_id, call_sid) DO NOTHING RETURNING k.id, k.created_at INTO made_call, begun;
      IF made_call IS NOT NULL AND over THEN
        news := true;
        INSERT INTO events (organization_id, id, type, data, created_at) VALUES (wanted_organization, call_event, 'call.ended',
          jsonb_build_object('call', call || jsonb_build_object('contactId', found_contact, 'conversationId', found_conversation,
            'endedAt', iso_time(now()), 'createdAt', iso_time(now()))), at);
      END IF;
      RETURN QUERY SELECT made_call, found_contact, found_name, found_conversation, begun, news;
    END $$`)
})
