/**
 * Finding contacts by parts of names and numbers, at a price that does not grow with the organization. Each contact is indexed under the pieces
 * of its name and number, mixed with its organization: what is looked up are lists of that organization alone, while trigrams beside the
 * organization (migration 17) meant to go through all its contacts for each search. What is frequent is not looked up but met by going through
 * the newest contacts; a look at some of them tells which it is, without statistics, which know the table and not the organization.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** So many of the newest contacts are looked at first. */
const sample = 1_000
/** Found so often among them, going on finds a total sooner than looking up; and so often, a page. */
const frequent = 50
const occasional = 5

const signature = `search_contacts(name_like text, words_like text, phone_like text, name_part text, phone_part text, in_archive boolean,
    wanted_tag text, before_at timestamptz, before_id text, skips bigint, most integer, counts_to integer)`
const types = "text, text, text, text, text, boolean, text, timestamptz, text, bigint, integer, integer"
const formerly = "text, text, text, boolean, text, timestamptz, text, bigint, integer, integer"

const matching = `(s.name LIKE name_like OR s.name LIKE words_like OR s.phone LIKE phone_like)
            AND (wanted_tag IS NULL OR EXISTS (SELECT 1 FROM public.contact_tags t
              WHERE t.organization_id = organization AND t.contact_id = s.contact_id AND t.tag = wanted_tag))`
const filters =
  "organization text, name_like text, words_like text, phone_like text, in_archive boolean, wanted_tag text"
const givenFilters = "organization, name_like, words_like, phone_like, in_archive, wanted_tag"
const newestFirst = "ORDER BY s.created_at DESC, s.contact_id DESC"

/** The pieces of a text and the functions that look for contacts, all out of the service's reach. */
const makeIndex = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Pieces of three characters; and for what is searched by one or two, beginnings of words (a blank stands before each), and whatever has a
  // character that is no plain letter or digit. Loops, as they take an eighth of the time of queries here.
  yield* sql`CREATE FUNCTION private.contact_pieces(organization text, name text, phone text) RETURNS bigint[]
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
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
    END $$`
  // What all that have this part have: enough of it to find them, each more is one more list to go through.
  yield* sql`CREATE FUNCTION private.pieces_of_part(organization text, kind integer, part text) RETURNS bigint[]
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
    DECLARE pieces bigint[] := '{}'; seed bigint := hashtextextended(organization, kind); last integer := greatest(length(part) - 2, 1);
    BEGIN
      FOR n IN 1 .. last LOOP
        IF n % 3 = 1 OR n = last THEN pieces := array_append(pieces, hashtextextended(substr(part, n, 3), seed)); END IF;
      END LOOP;
      RETURN pieces;
    END $$`
  yield* sql`DROP INDEX private.contact_search_parts`
  // New ones wait in a list that each search goes through: a short one.
  yield* sql`CREATE INDEX contact_search_pieces ON private.contact_search
    USING gin (private.contact_pieces(organization_id, name, phone)) WITH (gin_pending_list_limit = 256)`
  // What planned the former search by is known no more, and costs much to find out.
  yield* sql`ALTER INDEX private.contact_search_pieces ALTER COLUMN 1 SET STATISTICS 0`
  yield* sql`ALTER TABLE private.contact_search ALTER COLUMN name SET STATISTICS -1, ALTER COLUMN phone SET STATISTICS -1`

  // Plans are made once per connection. What would look sensible without knowing the organization is kept from the planner.
  const planned = "SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off"
  yield* sql.unsafe(`CREATE FUNCTION private.walk_contacts(${filters}, edge_at timestamptz, edge_id text, among integer, skips bigint, most integer)
    RETURNS text[] LANGUAGE plpgsql STABLE ${planned} SET enable_bitmapscan = off AS $$
    BEGIN
      RETURN ARRAY(
        SELECT s.contact_id FROM (
          SELECT s.contact_id, s.created_at, s.name, s.phone FROM private.contact_search s
          WHERE s.organization_id = organization AND s.archived = in_archive AND (s.created_at, s.contact_id) < (edge_at, edge_id)
          ${newestFirst} LIMIT among
        ) s WHERE ${matching} ${newestFirst} LIMIT most OFFSET skips);
    END $$`)
  // The pieces are the organization's own already: that it is asked for too is hidden from the planner, which would rather go by that.
  yield* sql.unsafe(`CREATE FUNCTION private.look_up_contacts(${filters}, name_pieces bigint[], phone_pieces bigint[], edge_at timestamptz, edge_id text,
      among integer, skips bigint, most integer, OUT ids text[], OUT total bigint)
    LANGUAGE plpgsql STABLE ${planned} SET enable_indexscan = off SET enable_indexonlyscan = off AS $$
    BEGIN
      WITH found AS MATERIALIZED (
        SELECT s.contact_id, s.created_at FROM private.contact_search s
        WHERE (private.contact_pieces(s.organization_id, s.name, s.phone) @> name_pieces
            OR private.contact_pieces(s.organization_id, s.name, s.phone) @> phone_pieces)
          AND s.organization_id || '' = organization AND s.archived IS NOT DISTINCT FROM in_archive AND ${matching} LIMIT among
      )
      SELECT ARRAY(SELECT s.contact_id FROM found s WHERE (s.created_at, s.contact_id) < (edge_at, edge_id) ${newestFirst} LIMIT most OFFSET skips),
        (SELECT count(*) FROM found) INTO ids, total;
    END $$`)

  // `name_part` and `phone_part` are what names and numbers have to have, with a blank in front where a word or the number begins.
  yield* sql.unsafe(`CREATE FUNCTION ${signature} RETURNS TABLE (ids text[], total bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    DECLARE
      organization text := current_setting('app.organization_id', true);
      name_pieces bigint[] := private.pieces_of_part(organization, 0, name_part);
      phone_pieces bigint[] := private.pieces_of_part(organization, 1, phone_part);
      edge_at timestamptz := coalesce(before_at, 'infinity');
      edge_id text := coalesce(before_id, '');
      newest text[] := private.walk_contacts(${givenFilters}, 'infinity', '', ${sample}, 0, ${sample});
      met integer := cardinality(newest);
    BEGIN
      IF met < ${occasional} THEN
        SELECT l.ids, least(l.total, counts_to) INTO ids, total
          FROM private.look_up_contacts(${givenFilters}, name_pieces, phone_pieces, edge_at, edge_id, NULL, skips, most) l;
        RETURN NEXT;
        RETURN;
      END IF;
      IF met < ${frequent} THEN
        SELECT l.ids, l.total INTO ids, total
          FROM private.look_up_contacts(${givenFilters}, name_pieces, phone_pieces, edge_at, edge_id, counts_to, skips, most) l;
      ELSE
        newest := private.walk_contacts(${givenFilters}, 'infinity', '', NULL, 0, counts_to);
        total := cardinality(newest);
      END IF;
      IF ids IS NULL OR total = counts_to THEN
        ids := CASE WHEN before_at IS NULL AND skips + most <= cardinality(newest) THEN newest[skips + 1 : skips + most]
          ELSE private.walk_contacts(${givenFilters}, edge_at, edge_id, NULL, skips, most) END;
      END IF;
      RETURN NEXT;
    END $$`)
})

/** Where the role that migrates may make no schema: the organization's contacts are gone through. */
const makeWalk = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const found = `FROM (SELECT organization_id, id AS contact_id, searchable_name AS name, coalesce(ltrim(phone, '+'), '') AS phone,
      archived_at IS NOT NULL AS archived, created_at FROM contacts) s, (SELECT current_setting('app.organization_id', true) AS organization) o
    WHERE s.organization_id = organization AND s.archived = in_archive AND ${matching}`
  yield* sql.unsafe(`CREATE FUNCTION ${signature} RETURNS TABLE (ids text[], total bigint)
    LANGUAGE sql STABLE SET search_path = public, pg_temp SET plan_cache_mode = force_custom_plan AS $$
      SELECT ARRAY(SELECT s.contact_id ${found} AND (before_at IS NULL OR (s.created_at, s.contact_id) < (before_at, before_id))
          ${newestFirst} LIMIT most OFFSET skips),
        (SELECT count(*) FROM (SELECT 1 ${found} LIMIT counts_to) counted)
    $$`)
})

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [{ indexed }] = yield* sql<{
    indexed: boolean
  }>`SELECT to_regclass('private.contact_search') IS NOT NULL AS indexed`
  yield* sql.unsafe(`DROP FUNCTION search_contacts(${formerly})`)
  yield* indexed ? makeIndex : makeWalk
  yield* sql.unsafe(`REVOKE ALL ON FUNCTION search_contacts(${types}) FROM PUBLIC`)
})
