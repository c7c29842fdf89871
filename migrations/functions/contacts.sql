-- Contacts: their tags, a new one, and lists of them.
--
-- The functions that take `wanted_organization` run as whoever calls them, as that organization, so row-level security
-- holds in them as everywhere. They do several things in one statement: between a service and its database, round trips
-- cost more than the work.

-- Each tag of a contact is a row of `contact_tags`.
CREATE OR REPLACE FUNCTION keep_contact_tags()
  RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM contact_tags WHERE organization_id = NEW.organization_id AND contact_id = NEW.id;
  END IF;
  INSERT INTO contact_tags (organization_id, tag, contact_id, archived, created_at)
    SELECT DISTINCT NEW.organization_id, tag, NEW.id, NEW.archived_at IS NOT NULL, NEW.created_at FROM unnest(NEW.tags) AS tag;
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER contacts_tags AFTER INSERT OR UPDATE OF tags, archived_at ON contacts
  FOR EACH ROW EXECUTE FUNCTION keep_contact_tags();

-- The contact with a number, or with an id, or the one that it was merged into, held until the transaction ends. No row:
-- there is none. Who has just been merged is held already, and the one that stays comes before it in the order of locks:
-- so the transaction runs again.
CREATE OR REPLACE FUNCTION hold_contact(wanted_organization text, wanted_phone text, wanted_id text)
  RETURNS TABLE (id text, name text, phone text)
  LANGUAGE plpgsql AS $$
DECLARE stands text; merged text;
BEGIN
  SELECT coalesce(c.merged_into, c.id) INTO stands FROM contacts c WHERE c.organization_id = wanted_organization
    AND (c.phone = wanted_phone OR c.id = wanted_id);
  SELECT c.id, c.name, c.phone, c.merged_into INTO id, name, phone, merged FROM contacts c
    WHERE c.organization_id = wanted_organization AND c.id = stands FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  IF merged IS NOT NULL THEN
    RAISE EXCEPTION 'The contact % has just been merged.', stands USING ERRCODE = 'serialization_failure';
  END IF;
  RETURN NEXT;
END
$$;

-- A new contact in one statement: row, evidence of an opt-in, events, and the entry of the audit log. `contact` is the
-- record as the REST interface shows it, but for its times; `told` are the ids and types of its events, in order;
-- `consent` and `entry` may be null. When the number is taken nothing is made, and the id is that of the contact that
-- has it, or into which that one was merged.
CREATE OR REPLACE FUNCTION create_contact(wanted_organization text, contact jsonb, searchable_name text, told jsonb, consent jsonb,
    entry jsonb, at timestamptz)
  RETURNS TABLE (id text, created_at timestamptz)
  LANGUAGE plpgsql AS $$
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
    RETURN QUERY SELECT coalesce(c.merged_into, c.id), c.created_at FROM contacts c
      WHERE c.organization_id = wanted_organization AND c.phone = contact->>'phone';
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
END
$$;

-- A part of a list: by part of the name or number, by tag, or all. The patterns are those of `search_contacts`.
-- `before_at` and `before_id` are after which record the part begins (null: at the first), `counted_lists` are the
-- lists whose totals make the total. The function goes through an index alone to the ids of the part, and only then
-- reads the records: what a page skips costs next to nothing. A list without records gives one row, with the total
-- alone.
--
-- SET plan_cache_mode, enable_…, jit: plans are made once per connection, without knowing which part of a list is asked
-- for, and the planner then expects a tenth of the table. What would be sensible for that is kept from it: reading a
-- table through, and compiling.
CREATE OR REPLACE FUNCTION list_contacts(wanted_organization text, in_archive boolean, wanted_tag text, name_like text, words_like text,
    phone_like text, name_part text, phone_part text, counts_to integer, before_at timestamptz, before_id text, skips bigint,
    most integer, counted_lists text[])
  RETURNS TABLE (total integer, contact contacts, identities json)
  LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
DECLARE counted integer; ids text[]; edge_at timestamptz := coalesce(before_at, 'infinity'); edge_id text := coalesce(before_id, '');
BEGIN
  PERFORM enter_organization(wanted_organization);
  IF name_like IS NOT NULL THEN
    SELECT s.ids, s.total INTO ids, counted FROM search_contacts(name_like, words_like, phone_like, name_part, phone_part,
      in_archive, wanted_tag, before_at, before_id, skips, most, counts_to) s;
  ELSE
    SELECT coalesce(sum(k.total), 0) INTO counted FROM list_counts k
      WHERE k.organization_id = wanted_organization AND k.list = ANY(counted_lists);
    IF wanted_tag IS NOT NULL THEN
      ids := ARRAY(SELECT r.contact_id FROM contact_tags r
        WHERE r.organization_id = wanted_organization AND r.tag = wanted_tag AND r.archived = in_archive
          AND (r.created_at, r.contact_id) < (edge_at, edge_id)
        ORDER BY r.created_at DESC, r.contact_id DESC LIMIT most OFFSET skips);
    ELSIF in_archive THEN
      ids := ARRAY(SELECT r.id FROM contacts r
        WHERE r.organization_id = wanted_organization AND r.archived_at IS NOT NULL
          AND (r.created_at, r.id) < (edge_at, edge_id)
        ORDER BY r.created_at DESC, r.id DESC LIMIT most OFFSET skips);
    ELSE
      ids := ARRAY(SELECT r.id FROM contacts r
        WHERE r.organization_id = wanted_organization AND r.archived_at IS NULL
          AND (r.created_at, r.id) < (edge_at, edge_id)
        ORDER BY r.created_at DESC, r.id DESC LIMIT most OFFSET skips);
    END IF;
  END IF;
  RETURN QUERY SELECT counted, c, (
      SELECT coalesce(json_agg(json_build_object('channel', i.channel, 'userId', i.user_id) ORDER BY i.channel, i.user_id), '[]')
      FROM contact_identities i WHERE i.organization_id = wanted_organization AND i.contact_id = c.id)
    FROM unnest(ids) WITH ORDINALITY AS f (id, ordinal)
    JOIN contacts c ON c.organization_id = wanted_organization AND c.id = f.id ORDER BY f.ordinal;
  IF NOT FOUND THEN RETURN QUERY SELECT counted, NULL::contacts, NULL::json; END IF;
END
$$;
