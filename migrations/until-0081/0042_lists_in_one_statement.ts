/**
 * Lists as one statement each: between a service and its database round trips cost more than the work. As in migration 36 the functions run as
 * whoever calls them, as the organization they are given, so row-level security holds in them as everywhere.
 *
 * Each goes through the index alone to the records of its part, and only then reads those: what a page skips costs next to nothing. A list that
 * has none gives one row, with the total alone.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Plans are made once per connection, without knowing which part is asked for; the planner then takes a tenth of the table for it. What would be
 * sensible for that is kept from it: reading a table through, and just-in-time compilation.
 */
const planned =
  "LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off"

/** How many records there are, as migration 33 keeps it. */
const count = `SELECT coalesce(sum(k.total), 0) INTO counted FROM list_counts k
        WHERE k.organization_id = wanted_organization AND k.list = ANY(counted_lists)`

/** The ids of a part: those of `table` in the order of an index. */
const part = (table: string, filter: string, at: string, id = "id") => `ARRAY(SELECT r.${id} FROM ${table} r
          WHERE r.organization_id = wanted_organization AND ${filter} AND (r.${at}, r.${id}) < (edge_at, edge_id)
          ORDER BY r.${at} DESC, r.${id} DESC LIMIT most OFFSET skips)`

/** After which record (before the first part there is none), how many are skipped and how many are wanted; and the lists that are counted. */
const asked = "before_at timestamptz, before_id text, skips bigint, most integer, counted_lists text[]"
const declared =
  "counted integer; ids text[]; edge_at timestamptz := coalesce(before_at, 'infinity'); edge_id text := coalesce(before_id, '');"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // By part of the name or number, by tag, or all; the patterns are those of search_contacts.
  yield* sql.unsafe(`CREATE FUNCTION list_contacts(wanted_organization text, in_archive boolean, wanted_tag text, name_like text, words_like text,
      phone_like text, name_part text, phone_part text, counts_to integer, ${asked})
    RETURNS TABLE (total integer, contact contacts, identities json) ${planned} AS $$
    DECLARE ${declared}
    BEGIN
      PERFORM enter_organization(wanted_organization);
      IF name_like IS NOT NULL THEN
        SELECT s.ids, s.total INTO ids, counted FROM search_contacts(name_like, words_like, phone_like, name_part, phone_part,
          in_archive, wanted_tag, before_at, before_id, skips, most, counts_to) s;
      ELSE
        ${count};
        IF wanted_tag IS NOT NULL THEN
          ids := ${part("contact_tags", "r.tag = wanted_tag AND r.archived = in_archive", "created_at", "contact_id")};
        ELSIF in_archive THEN
          ids := ${part("contacts", "r.archived_at IS NOT NULL", "created_at")};
        ELSE
          ids := ${part("contacts", "r.archived_at IS NULL", "created_at")};
        END IF;
      END IF;
      RETURN QUERY SELECT counted, c, (
          SELECT coalesce(json_agg(json_build_object('channel', i.channel, 'userId', i.user_id) ORDER BY i.channel, i.user_id), '[]')
          FROM contact_identities i WHERE i.organization_id = wanted_organization AND i.contact_id = c.id)
        FROM unnest(ids) WITH ORDINALITY AS f (id, ordinal)
        JOIN contacts c ON c.organization_id = wanted_organization AND c.id = f.id ORDER BY f.ordinal;
      IF NOT FOUND THEN RETURN QUERY SELECT counted, NULL::contacts, NULL::json; END IF;
    END $$`)

  yield* sql.unsafe(`CREATE FUNCTION list_messages(wanted_organization text, ${asked})
    RETURNS TABLE (total integer, message messages, contact_id text, channel text) ${planned} AS $$
    DECLARE ${declared}
    BEGIN
      PERFORM enter_organization(wanted_organization);
      ${count};
      ids := ${part("messages", "true", "created_at")};
      RETURN QUERY SELECT counted, m, v.contact_id, v.channel FROM unnest(ids) WITH ORDINALITY AS f (id, ordinal)
        JOIN messages m ON m.organization_id = wanted_organization AND m.id = f.id
        JOIN conversations v ON v.organization_id = wanted_organization AND v.id = m.conversation_id ORDER BY f.ordinal;
      IF NOT FOUND THEN RETURN QUERY SELECT counted, NULL::messages, NULL, NULL; END IF;
    END $$`)

  // Each with its newest message, if there is one.
  yield* sql.unsafe(`CREATE FUNCTION list_conversations(wanted_organization text, wanted_status text, ${asked})
    RETURNS TABLE (total integer, conversation conversations, contact_name text, contact_phone text, message messages) ${planned} AS $$
    DECLARE ${declared}
    BEGIN
      PERFORM enter_organization(wanted_organization);
      ${count};
      IF wanted_status IS NULL THEN
        ids := ${part("conversations", "true", "last_activity_at")};
      ELSE
        ids := ${part("conversations", "r.status = wanted_status", "last_activity_at")};
      END IF;
      RETURN QUERY SELECT counted, v, c.name, c.phone, n.message FROM unnest(ids) WITH ORDINALITY AS f (id, ordinal)
        JOIN conversations v ON v.organization_id = wanted_organization AND v.id = f.id
        JOIN contacts c ON c.organization_id = wanted_organization AND c.id = v.contact_id
        LEFT JOIN LATERAL (SELECT m AS message FROM messages m WHERE m.organization_id = wanted_organization AND m.conversation_id = v.id
          ORDER BY m.created_at DESC, m.id DESC LIMIT 1) n ON true ORDER BY f.ordinal;
      IF NOT FOUND THEN RETURN QUERY SELECT counted, NULL::conversations, NULL, NULL, NULL::messages; END IF;
    END $$`)

  // One with its newest messages: it is in the first row, a message in each.
  yield* sql.unsafe(`CREATE FUNCTION show_conversation(wanted_organization text, wanted text, most integer)
    RETURNS TABLE (conversation conversations, contact_name text, contact_phone text, has_calls boolean, message messages) ${planned} AS $$
    BEGIN
      PERFORM enter_organization(wanted_organization);
      RETURN QUERY SELECT CASE WHEN coalesce(n.ordinal, 1) = 1 THEN v END, c.name, c.phone,
          EXISTS (SELECT 1 FROM calls k WHERE k.organization_id = wanted_organization AND k.conversation_id = wanted), n.message
        FROM conversations v JOIN contacts c ON c.organization_id = wanted_organization AND c.id = v.contact_id
        LEFT JOIN LATERAL (SELECT m AS message, row_number() OVER (ORDER BY m.created_at DESC, m.id DESC) AS ordinal FROM messages m
          WHERE m.organization_id = wanted_organization AND m.conversation_id = wanted
          ORDER BY m.created_at DESC, m.id DESC LIMIT most) n ON true
        WHERE v.organization_id = wanted_organization AND v.id = wanted ORDER BY n.ordinal;
    END $$`)
})
