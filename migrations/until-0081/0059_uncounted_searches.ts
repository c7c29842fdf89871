/**
 * Searches that are known to find a thousand contacts or more are not counted again (`counts_to` 0): what that takes is most of a search. And
 * one of names alone is not joined with what numbers have, which is nothing.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** As in migration 41. */
const occasional = 5
const frequent = 50
const sample = 1_000

const filters =
  "organization text, name_like text, words_like text, phone_like text, in_archive boolean, wanted_tag text"
const givenFilters = "organization, name_like, words_like, phone_like, in_archive, wanted_tag"
const matching = `(s.name LIKE name_like OR s.name LIKE words_like OR s.phone LIKE phone_like)
            AND (wanted_tag IS NULL OR EXISTS (SELECT 1 FROM public.contact_tags t
              WHERE t.organization_id = organization AND t.contact_id = s.contact_id AND t.tag = wanted_tag))`
const newestFirst = "ORDER BY s.created_at DESC, s.contact_id DESC"

/** Contacts whose pieces hold some of these. That the organization is asked for too is hidden from the planner, as in migration 41. */
const found = (pieces: string) => `WITH found AS MATERIALIZED (
          SELECT s.contact_id, s.created_at FROM private.contact_search s
          WHERE ${pieces} AND s.organization_id || '' = organization AND s.archived IS NOT DISTINCT FROM in_archive AND ${matching} LIMIT among
        )
        SELECT ARRAY(SELECT s.contact_id FROM found s WHERE (s.created_at, s.contact_id) < (edge_at, edge_id) ${newestFirst} LIMIT most OFFSET skips),
          (SELECT count(*) FROM found) INTO ids, total`
const has = (pieces: string) => `private.contact_pieces(s.organization_id, s.name, s.phone) @> ${pieces}`

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [{ indexed }] = yield* sql<{
    indexed: boolean
  }>`SELECT to_regclass('private.contact_search') IS NOT NULL AS indexed`
  // Without the index, what is not to be counted is limited to nothing as it is.
  if (!indexed) return
  yield* sql.unsafe(`CREATE OR REPLACE FUNCTION private.look_up_contacts(${filters}, name_pieces bigint[], phone_pieces bigint[],
      edge_at timestamptz, edge_id text, among integer, skips bigint, most integer, OUT ids text[], OUT total bigint)
    LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off
      SET enable_indexscan = off SET enable_indexonlyscan = off AS $$
    BEGIN
      IF phone_pieces IS NULL THEN
        ${found(has("name_pieces"))};
      ELSE
        ${found(`(${has("name_pieces")} OR ${has("phone_pieces")})`)};
      END IF;
    END $$`)
  yield* sql.unsafe(`CREATE OR REPLACE FUNCTION search_contacts(name_like text, words_like text, phone_like text, name_part text, phone_part text,
      in_archive boolean, wanted_tag text, before_at timestamptz, before_id text, skips bigint, most integer, counts_to integer)
    RETURNS TABLE (ids text[], total bigint) LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
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
      IF counts_to > 0 AND met < ${frequent} THEN
        SELECT l.ids, l.total INTO ids, total
          FROM private.look_up_contacts(${givenFilters}, name_pieces, phone_pieces, edge_at, edge_id, counts_to, skips, most) l;
      ELSIF counts_to > 0 THEN
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
