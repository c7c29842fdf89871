/**
 * A new contact in one statement, as migrations 36, 42 and 50 have it for what is done as often: row, evidence of an opt-in, events, and the audit
 * log's entry. It runs as whoever calls it, as the organization it is given, so row-level security holds in it as everywhere.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // `contact` is the record as the REST interface shows it, but for its times; `told` are the ids and types of its events, in order; `consent` and
  // `entry` may be null. When the number is taken nothing is made, and the id is that of the contact that has it.
  yield* sql.unsafe(`CREATE FUNCTION create_contact(wanted_organization text, contact jsonb, searchable_name text, told jsonb, consent jsonb,
      entry jsonb, at timestamptz)
    RETURNS TABLE (id text, created_at timestamptz) LANGUAGE plpgsql AS $$
    #variable_conflict use_column
    DECLARE
      moment timestamptz := date_trunc('milliseconds', now());
      record jsonb := contact || jsonb_build_object('createdAt', iso_time(moment), 'updatedAt', iso_time(moment));
    BEGIN
      PERFORM enter_organization(wanted_organization);
      LOOP
        INSERT INTO contacts (organization_id, id, phone, name, searchable_name, email, tags, opted_in, created_at, updated_at)
          VALUES (wanted_organization, contact->>'id', contact->>'phone', contact->>'name', searchable_name, contact->>'email',
            ARRAY(SELECT jsonb_array_elements_text(contact->'tags')), (contact->>'optedIn')::boolean, moment, moment)
          ON CONFLICT (organization_id, phone) DO NOTHING;
        EXIT WHEN FOUND;
        RETURN QUERY SELECT c.id, c.created_at FROM contacts c WHERE c.organization_id = wanted_organization AND c.phone = contact->>'phone';
        -- Else it was erased in between.
        IF FOUND THEN RETURN; END IF;
      END LOOP;
      IF consent IS NOT NULL THEN
        INSERT INTO consents (organization_id, id, contact_id, phone_hash, channel, action, happened_at, source, text, recorded_by)
          VALUES (wanted_organization, consent->>'id', contact->>'id', decode(consent->>'phoneHash', 'hex'), 'messaging', 'granted', moment,
            consent->>'source', consent->>'text', consent->>'recordedBy');
      END IF;
      INSERT INTO events (organization_id, id, type, data, created_at)
        SELECT wanted_organization, t.event->>'id', t.event->>'type', jsonb_build_object('contact', record), at
        FROM jsonb_array_elements(told) WITH ORDINALITY AS t (event, ordinal) ORDER BY t.ordinal;
      IF entry IS NOT NULL THEN
        INSERT INTO audit_log (organization_id, id, action, subject_id, actor_type, actor_id, state_before, state_after, ip, request_id)
          VALUES (wanted_organization, entry->>'id', entry->>'action', entry->>'subjectId', entry->>'actorType', entry->>'actorId',
            entry->'before', entry->'after', entry->>'ip', entry->>'requestId');
      END IF;
      RETURN QUERY SELECT contact->>'id', moment;
    END $$`)
})
