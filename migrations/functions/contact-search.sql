-- Finding contacts by parts of names and numbers, at a price that does not grow with the organization. Each contact is
-- indexed under the pieces of its name and number, mixed with its organization: what is looked up are lists of that
-- organization alone. What is frequent is not looked up but met by going through the newest contacts; a look at some of
-- them tells which it is, without statistics, which know the table and not the organization.
--
-- One statement, as there are two forms: with the table `private.contact_search`, and without it where the role that
-- migrates may make no schema. Without it the service reads through the contacts of the organization, under its policy.
DO $do$
BEGIN

IF to_regclass('private.contact_search') IS NULL THEN

CREATE OR REPLACE FUNCTION search_contacts(name_like text, words_like text, phone_like text, name_part text, phone_part text,
    in_archive boolean, wanted_tag text, before_at timestamptz, before_id text, skips bigint, most integer, counts_to integer)
  RETURNS TABLE (ids text[], total bigint)
  LANGUAGE sql STABLE SET search_path = public, pg_temp SET plan_cache_mode = force_custom_plan AS $function$
  SELECT ARRAY(SELECT s.contact_id FROM (SELECT organization_id, id AS contact_id, searchable_name AS name,
        coalesce(ltrim(phone, '+'), '') AS phone, archived_at IS NOT NULL AS archived, created_at FROM contacts) s,
      (SELECT current_setting('app.organization_id', true) AS organization) o
    WHERE s.organization_id = organization AND s.archived = in_archive
      AND (s.name LIKE name_like OR s.name LIKE words_like OR s.phone LIKE phone_like)
      AND (wanted_tag IS NULL OR EXISTS (SELECT 1 FROM public.contact_tags t
        WHERE t.organization_id = organization AND t.contact_id = s.contact_id AND t.tag = wanted_tag))
      AND (before_at IS NULL OR (s.created_at, s.contact_id) < (before_at, before_id))
    ORDER BY s.created_at DESC, s.contact_id DESC LIMIT most OFFSET skips),
  (SELECT count(*) FROM (SELECT 1 FROM (SELECT organization_id, id AS contact_id, searchable_name AS name,
        coalesce(ltrim(phone, '+'), '') AS phone, archived_at IS NOT NULL AS archived, created_at FROM contacts) s,
      (SELECT current_setting('app.organization_id', true) AS organization) o
    WHERE s.organization_id = organization AND s.archived = in_archive
      AND (s.name LIKE name_like OR s.name LIKE words_like OR s.phone LIKE phone_like)
      AND (wanted_tag IS NULL OR EXISTS (SELECT 1 FROM public.contact_tags t
        WHERE t.organization_id = organization AND t.contact_id = s.contact_id AND t.tag = wanted_tag)) LIMIT counts_to) counted)
$function$;
REVOKE ALL ON FUNCTION search_contacts(text, text, text, text, text, boolean, text, timestamptz, text, bigint, integer, integer) FROM PUBLIC;

RETURN;
END IF;

-- Every contact has a row in `private.contact_search`.
CREATE OR REPLACE FUNCTION keep_contact_search()
  RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, private, pg_temp AS $function$
BEGIN
  INSERT INTO private.contact_search (organization_id, contact_id, name, phone, archived, created_at)
    VALUES (NEW.organization_id, NEW.id, NEW.searchable_name, coalesce(ltrim(NEW.phone, '+'), ''), NEW.archived_at IS NOT NULL,
      NEW.created_at)
    ON CONFLICT (organization_id, contact_id) DO UPDATE
    SET name = EXCLUDED.name, phone = EXCLUDED.phone, archived = EXCLUDED.archived;
  RETURN NULL;
END
$function$;
REVOKE ALL ON FUNCTION keep_contact_search() FROM PUBLIC;
CREATE OR REPLACE TRIGGER contacts_search AFTER INSERT OR UPDATE OF searchable_name, phone, archived_at ON contacts
  FOR EACH ROW EXECUTE FUNCTION keep_contact_search();

-- Pieces of three characters; and for what is searched by one or two, beginnings of words (a blank stands before each),
-- and whatever has a character that is no plain letter or digit. Loops, as they take an eighth of the time of queries
-- here. An index is made of the pieces: whoever changes what they are drops that index in a migration, and it is made
-- again below.
CREATE OR REPLACE FUNCTION private.contact_pieces(organization text, name text, phone text)
  RETURNS bigint[]
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $function$
DECLARE pieces bigint[] := '{}'; body text; seed bigint;
BEGIN
  FOR kind IN 0..1 LOOP
    body := ' ' || CASE kind WHEN 0 THEN name ELSE phone END;
    seed := hashtextextended(organization, kind);
    FOR n IN 1 .. length(body) - 2 LOOP
      pieces := array_append(pieces, hashtextextended(substr(body, n, 3), seed));
    END LOOP;
    FOR n IN 1 .. length(body) - 1 LOOP
      IF substr(body, n, 1) = ' ' THEN pieces := array_append(pieces, hashtextextended(substr(body, n, 2), seed)); END IF;
    END LOOP;
    CONTINUE WHEN body !~ '[^a-z0-9 ]';
    FOR size IN 1..2 LOOP
      FOR n IN 1 .. length(body) - size + 1 LOOP
        IF substr(body, n, size) ~ '[^a-z0-9 ]' THEN pieces := array_append(pieces, hashtextextended(substr(body, n, size), seed)); END IF;
      END LOOP;
    END LOOP;
  END LOOP;
  RETURN pieces;
END
$function$;

-- What all that have this part have: enough of it to find them, each more is one more list to go through.
CREATE OR REPLACE FUNCTION private.pieces_of_part(organization text, kind integer, part text)
  RETURNS bigint[]
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $function$
DECLARE pieces bigint[] := '{}'; seed bigint := hashtextextended(organization, kind); last integer := greatest(length(part) - 2, 1);
BEGIN
  FOR n IN 1 .. last LOOP
    IF n % 3 = 1 OR n = last THEN pieces := array_append(pieces, hashtextextended(substr(part, n, 3), seed)); END IF;
  END LOOP;
  RETURN pieces;
END
$function$;

-- New contacts wait in a list that each search goes through: a short one. Statistics of pieces would cost much, and are
-- used by no plan.
CREATE INDEX IF NOT EXISTS contact_search_pieces ON private.contact_search
  USING gin (private.contact_pieces(organization_id, name, phone)) WITH (gin_pending_list_limit = 256);
ALTER INDEX private.contact_search_pieces ALTER COLUMN 1 SET STATISTICS 0;

-- Goes through the newest contacts, at most `among` of them (null: all), and gives those that match. With a tag it goes
-- through those that have it, and looks up each.
--
-- SET plan_cache_mode, enable_…, jit: plans are made once per connection, without knowing which part of a list is asked
-- for, and the planner then expects a tenth of the table. What would be sensible for that is kept from it: reading a
-- table through, and compiling.
CREATE OR REPLACE FUNCTION private.walk_contacts(organization text, name_like text, words_like text, phone_like text, in_archive boolean,
    wanted_tag text, edge_at timestamptz, edge_id text, among integer, skips bigint, most integer)
  RETURNS text[]
  LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off SET enable_bitmapscan = off AS $function$
BEGIN
  IF wanted_tag IS NOT NULL THEN
    RETURN ARRAY(
      SELECT t.contact_id FROM (
        SELECT t.contact_id, t.created_at FROM public.contact_tags t
        WHERE t.organization_id = organization AND t.tag = wanted_tag AND t.archived = in_archive
          AND (t.created_at, t.contact_id) < (edge_at, edge_id)
        ORDER BY t.created_at DESC, t.contact_id DESC LIMIT among
      ) t CROSS JOIN LATERAL (
        SELECT s.name, s.phone FROM private.contact_search s
        WHERE s.organization_id = organization AND s.contact_id = t.contact_id LIMIT 1
      ) s
      WHERE s.name LIKE name_like OR s.name LIKE words_like OR s.phone LIKE phone_like
      ORDER BY t.created_at DESC, t.contact_id DESC LIMIT most OFFSET skips);
  END IF;
  RETURN ARRAY(
    SELECT s.contact_id FROM (
      SELECT s.contact_id, s.created_at, s.name, s.phone FROM private.contact_search s
      WHERE s.organization_id = organization AND s.archived = in_archive AND (s.created_at, s.contact_id) < (edge_at, edge_id)
      ORDER BY s.created_at DESC, s.contact_id DESC LIMIT among
    ) s
    WHERE s.name LIKE name_like OR s.name LIKE words_like OR s.phone LIKE phone_like
    ORDER BY s.created_at DESC, s.contact_id DESC LIMIT most OFFSET skips);
END
$function$;

-- Looks up contacts whose pieces hold those of the name, or those of the phone; a search of names alone has no pieces
-- of the phone. The pieces are those of the organization already: that it is asked for too is hidden from the planner,
-- which would rather go by that.
CREATE OR REPLACE FUNCTION private.look_up_contacts(organization text, name_like text, words_like text, phone_like text,
    in_archive boolean, wanted_tag text, name_pieces bigint[], phone_pieces bigint[], edge_at timestamptz, edge_id text, among integer,
    skips bigint, most integer, OUT ids text[], OUT total bigint)
  LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off SET enable_indexscan = off
    SET enable_indexonlyscan = off AS $function$
BEGIN
  IF phone_pieces IS NULL THEN
    WITH found AS MATERIALIZED (
      SELECT s.contact_id, s.created_at FROM private.contact_search s
      WHERE private.contact_pieces(s.organization_id, s.name, s.phone) @> name_pieces
        AND s.organization_id || '' = organization AND s.archived IS NOT DISTINCT FROM in_archive
        AND (s.name LIKE name_like OR s.name LIKE words_like OR s.phone LIKE phone_like)
        AND (wanted_tag IS NULL OR EXISTS (SELECT 1 FROM public.contact_tags t
          WHERE t.organization_id = organization AND t.contact_id = s.contact_id AND t.tag = wanted_tag)) LIMIT among
    )
    SELECT ARRAY(SELECT s.contact_id FROM found s WHERE (s.created_at, s.contact_id) < (edge_at, edge_id)
        ORDER BY s.created_at DESC, s.contact_id DESC LIMIT most OFFSET skips),
      (SELECT count(*) FROM found) INTO ids, total;
  ELSE
    WITH found AS MATERIALIZED (
      SELECT s.contact_id, s.created_at FROM private.contact_search s
      WHERE (private.contact_pieces(s.organization_id, s.name, s.phone) @> name_pieces
          OR private.contact_pieces(s.organization_id, s.name, s.phone) @> phone_pieces)
        AND s.organization_id || '' = organization AND s.archived IS NOT DISTINCT FROM in_archive
        AND (s.name LIKE name_like OR s.name LIKE words_like OR s.phone LIKE phone_like)
        AND (wanted_tag IS NULL OR EXISTS (SELECT 1 FROM public.contact_tags t
          WHERE t.organization_id = organization AND t.contact_id = s.contact_id AND t.tag = wanted_tag)) LIMIT among
    )
    SELECT ARRAY(SELECT s.contact_id FROM found s WHERE (s.created_at, s.contact_id) < (edge_at, edge_id)
        ORDER BY s.created_at DESC, s.contact_id DESC LIMIT most OFFSET skips),
      (SELECT count(*) FROM found) INTO ids, total;
  END IF;
END
$function$;

-- Arguments: LIKE patterns of the name (the second may be null) and of the digits; what names and numbers have to have,
-- with a blank in front where a word or the number begins; archived or not; a tag or null; where the part before ended
-- or null; how many are skipped, and how many are wanted; how far is counted (0: not at all). It counts how many of the
-- 1,000 newest contacts (of the tag) match. These are all when the tag has no more contacts. Else, with fewer than 5, page
-- and total are looked up; with fewer than 50, the total is; otherwise both are met by going on.
CREATE OR REPLACE FUNCTION search_contacts(name_like text, words_like text, phone_like text, name_part text, phone_part text,
    in_archive boolean, wanted_tag text, before_at timestamptz, before_id text, skips bigint, most integer, counts_to integer)
  RETURNS TABLE (ids text[], total bigint)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $function$
DECLARE
  organization text := current_setting('app.organization_id', true);
  name_pieces bigint[] := private.pieces_of_part(organization, 0, name_part);
  phone_pieces bigint[] := private.pieces_of_part(organization, 1, phone_part);
  edge_at timestamptz := coalesce(before_at, 'infinity');
  edge_id text := coalesce(before_id, '');
  newest text[] := private.walk_contacts(organization, name_like, words_like, phone_like, in_archive, wanted_tag,
    'infinity', '', 1000, 0, 1000);
  met integer := cardinality(newest);
BEGIN
  IF wanted_tag IS NOT NULL AND NOT EXISTS (SELECT 1 FROM contact_tags t WHERE t.organization_id = organization
      AND t.tag = wanted_tag AND t.archived = in_archive OFFSET 1000) THEN
    total := least(met, counts_to);
    ids := CASE WHEN before_at IS NULL THEN newest[skips + 1 : skips + most]
      ELSE private.walk_contacts(organization, name_like, words_like, phone_like, in_archive, wanted_tag,
        edge_at, edge_id, NULL, skips, most) END;
    RETURN NEXT;
    RETURN;
  END IF;
  IF met < 5 THEN
    SELECT l.ids, least(l.total, counts_to) INTO ids, total
      FROM private.look_up_contacts(organization, name_like, words_like, phone_like, in_archive, wanted_tag,
        name_pieces, phone_pieces, edge_at, edge_id, NULL, skips, most) l;
    RETURN NEXT;
    RETURN;
  END IF;
  IF counts_to > 0 AND met < 50 THEN
    SELECT l.ids, l.total INTO ids, total
      FROM private.look_up_contacts(organization, name_like, words_like, phone_like, in_archive, wanted_tag,
        name_pieces, phone_pieces, edge_at, edge_id, counts_to, skips, most) l;
  ELSIF counts_to > 0 THEN
    newest := private.walk_contacts(organization, name_like, words_like, phone_like, in_archive, wanted_tag,
      'infinity', '', NULL, 0, counts_to);
    total := cardinality(newest);
  END IF;
  IF ids IS NULL OR total = counts_to THEN
    ids := CASE WHEN before_at IS NULL AND skips + most <= cardinality(newest) THEN newest[skips + 1 : skips + most]
      ELSE private.walk_contacts(organization, name_like, words_like, phone_like, in_archive, wanted_tag,
        edge_at, edge_id, NULL, skips, most) END;
  END IF;
  RETURN NEXT;
END
$function$;
REVOKE ALL ON FUNCTION search_contacts(text, text, text, text, text, boolean, text, timestamptz, text, bigint, integer, integer) FROM PUBLIC;

END
$do$;
