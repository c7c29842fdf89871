/**
 * How many records each list has, counted as they come and go: counting a million rows takes longer than reading a page of them. Each connection
 * counts in rows of its own (its process id at the server), so that nobody ever waits for anybody; a list's total is the sum of them.
 *
 * And a search that ends: it reads as far as its page, and counts to a bound.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate, overAllTenants } from "./isolate.ts"

/** Tables, and which list a row `r` of them is in. */
const lists = {
  contacts: "CASE WHEN r.archived_at IS NULL THEN 'contacts' ELSE 'contacts.archived' END",
  contact_tags: "'tag.' || r.archived::text || '.' || r.tag",
  conversations: "'conversations.' || r.status",
  messages: "'messages'"
} as const

/** Columns that move a row from one list to another. */
const moving = { contacts: "archived_at", conversations: "status" } as const

const add = "ON CONFLICT (organization_id, list, shard) DO UPDATE SET total = known.total + excluded.total"
const into = "INSERT INTO list_counts AS known (organization_id, list, shard, total)"

/** Once per statement, however many rows it has. */
const countComings = Effect.fnUntraced(function* (table: keyof typeof lists) {
  const sql = yield* SqlClient.SqlClient
  const counted = (rows: string, sign: string) =>
    `${into} SELECT r.organization_id, ${lists[table]}, pg_backend_pid(), ${sign}count(*) FROM ${rows} r GROUP BY 1, 2 ${add};`
  yield* sql.unsafe(`CREATE FUNCTION count_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN ${counted("added", "")} ELSE ${counted("removed", "-")} END IF;
      RETURN NULL;
    END $$`)
  yield* sql.unsafe(`CREATE TRIGGER ${table}_come AFTER INSERT ON ${table} REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION count_${table}()`)
  yield* sql.unsafe(`CREATE TRIGGER ${table}_go AFTER DELETE ON ${table} REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION count_${table}()`)
})

const countMoves = Effect.fnUntraced(function* (table: keyof typeof moving) {
  const sql = yield* SqlClient.SqlClient
  const list = (row: string) => `(${lists[table].replaceAll("r.", `${row}.`)})`
  yield* sql.unsafe(`CREATE FUNCTION move_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF ${list("OLD")} <> ${list("NEW")} THEN
        ${into} VALUES (OLD.organization_id, ${list("OLD")}, pg_backend_pid(), -1),
          (NEW.organization_id, ${list("NEW")}, pg_backend_pid(), 1) ${add};
      END IF;
      RETURN NULL;
    END $$`)
  const column = moving[table]
  yield* sql.unsafe(`CREATE TRIGGER ${table}_move AFTER UPDATE OF ${column} ON ${table}
    FOR EACH ROW WHEN (OLD.${column} IS DISTINCT FROM NEW.${column}) EXECUTE FUNCTION move_${table}()`)
})

const makeCounts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Rows are changed in place again and again: half of each page is left for that.
  yield* sql`CREATE TABLE list_counts (
    organization_id text NOT NULL,
    list text NOT NULL,
    shard integer NOT NULL,
    total bigint NOT NULL,
    PRIMARY KEY (organization_id, list, shard)
  ) WITH (fillfactor = 50)`
  for (const table of ["contacts", "contact_tags", "conversations", "messages"] as const) {
    yield* overAllTenants(
      [table],
      sql.unsafe(`${into} SELECT r.organization_id, ${lists[table]}, 0, count(*) FROM ${table} r GROUP BY 1, 2`)
    )
    yield* countComings(table)
  }
  yield* countMoves("contacts")
  yield* countMoves("conversations")
  yield* isolate("list_counts")

  // Connections come and go: what gone ones have counted is put together in shard 0, which nobody else touches.
  const compacting = "((SELECT current_setting('app.cross_tenant', true)) = 'compact')"
  for (const [command, rule] of [
    ["SELECT", `USING ${compacting}`],
    ["INSERT", `WITH CHECK ${compacting}`],
    ["UPDATE", `USING ${compacting} WITH CHECK ${compacting}`],
    ["DELETE", `USING ${compacting}`]
  ])
    yield* sql.unsafe(
      `CREATE POLICY compact_${command.toLowerCase()} ON list_counts FOR ${command} TO CURRENT_USER ${rule}`
    )
  yield* sql`CREATE FUNCTION compact_list_counts(crowded integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    DECLARE gone integer;
    BEGIN
      IF NOT pg_try_advisory_xact_lock(7275540) THEN RETURN 0; END IF;
      PERFORM set_config('app.cross_tenant', 'compact', true);
      WITH many AS (
        SELECT organization_id, list FROM list_counts WHERE shard <> 0 GROUP BY 1, 2 HAVING count(*) >= crowded
      ), taken AS (
        SELECT c.organization_id, c.list, c.shard FROM list_counts c JOIN many USING (organization_id, list)
          WHERE c.shard <> 0 FOR UPDATE OF c SKIP LOCKED
      ), removed AS (
        DELETE FROM list_counts c USING taken t
          WHERE c.organization_id = t.organization_id AND c.list = t.list AND c.shard = t.shard
          RETURNING c.organization_id, c.list, c.total
      ), kept AS (
        INSERT INTO list_counts AS known (organization_id, list, shard, total)
          SELECT organization_id, list, 0, sum(total) FROM removed GROUP BY 1, 2
          ON CONFLICT (organization_id, list, shard) DO UPDATE SET total = known.total + excluded.total
      ) SELECT count(*) INTO gone FROM removed;
      PERFORM set_config('app.cross_tenant', '', true);
      RETURN gone;
    END $$`
  yield* sql`REVOKE ALL ON FUNCTION compact_list_counts(integer) FROM PUBLIC`
})

const signature = "search_contacts(text, text, text, boolean, text, timestamptz, text, bigint, integer, integer)"

/**
 * $1 and $2 are LIKE patterns of the name, the second or null, $3 of the digits or null, $4 archived or not, $5 a tag or null, $6 and $7 where the
 * part before ended or null, $8 skips, $9 limits, $10 is how far is counted. Gives the ids of the part, and how many there are in all, up to
 * $10. Planned anew each time, with organization and patterns known: what is rare is looked up in the trigrams, what is frequent is met soon by
 * going through the newest first.
 */
const makeSearch = (security: "DEFINER" | "INVOKER", source: string) => {
  const found = `FROM ${source} s
    WHERE s.organization_id = current_setting('app.organization_id', true) AND s.archived = $4
      AND (s.name LIKE $1 OR s.name LIKE $2 OR s.phone LIKE $3)
      AND ($5 IS NULL OR EXISTS (SELECT 1 FROM contact_tags t
        WHERE t.organization_id = s.organization_id AND t.contact_id = s.contact_id AND t.tag = $5))`
  const inOrder = "ORDER BY s.created_at DESC, s.contact_id DESC"
  return `CREATE FUNCTION ${signature}
    RETURNS TABLE (ids text[], total bigint)
    LANGUAGE sql STABLE SECURITY ${security} SET search_path = public, pg_temp SET plan_cache_mode = force_custom_plan AS $$
      SELECT ARRAY(SELECT s.contact_id ${found} AND ($7 IS NULL OR (s.created_at, s.contact_id) < ($6, $7))
          ${inOrder} LIMIT $9 OFFSET $8),
        (SELECT count(*) FROM (SELECT 1 ${found} ${inOrder} LIMIT $10) counted)
    $$`
}

const contacts = `(SELECT organization_id, id AS contact_id, searchable_name AS name, coalesce(ltrim(phone, '+'), '') AS phone,
  archived_at IS NOT NULL AS archived, created_at FROM contacts)`

const makeBoundedSearch = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [{ indexed }] = yield* sql<{
    indexed: boolean
  }>`SELECT to_regclass('private.contact_search') IS NOT NULL AS indexed`
  if (indexed) {
    yield* sql`CREATE INDEX contact_search_newest ON private.contact_search (organization_id, archived, created_at DESC, contact_id DESC)`
    // How frequent a pattern is decides how it is looked for; the usual hundred samples are too coarse.
    yield* sql`ALTER TABLE private.contact_search ALTER COLUMN name SET STATISTICS 1000, ALTER COLUMN phone SET STATISTICS 1000`
  }
  yield* sql`DROP FUNCTION search_contacts(text, text, boolean, text, timestamptz, text, bigint, integer)`
  yield* sql.unsafe(indexed ? makeSearch("DEFINER", "private.contact_search") : makeSearch("INVOKER", contacts))
  yield* sql.unsafe(`REVOKE ALL ON FUNCTION ${signature} FROM PUBLIC`)
})

export default Effect.andThen(makeCounts, makeBoundedSearch)
