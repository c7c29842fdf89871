/**
 * Finding contacts by any part of a name or number. Trigrams find them, but row-level security lets only leakproof operators use an index and
 * LIKE is none. So what is searched lies in a table of its own that the service has no right to; the one way to it is a function that
 * looks at the organization of the transaction and at nothing else. Where the role that migrates may make neither schema nor extension, the
 * same function reads through the organization's contacts.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { overAllTenants } from "./isolate.ts"

/** Table and triggers, out of the service's reach; both extensions come with PostgreSQL. */
const makeIndex = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public`
  yield* sql`CREATE EXTENSION IF NOT EXISTS btree_gin WITH SCHEMA public`
  yield* sql`CREATE SCHEMA private`
  yield* sql`CREATE TABLE private.contact_search (
    organization_id text NOT NULL,
    contact_id text NOT NULL,
    name text NOT NULL,
    phone text NOT NULL,
    archived boolean NOT NULL,
    created_at timestamptz(3) NOT NULL,
    PRIMARY KEY (organization_id, contact_id),
    FOREIGN KEY (organization_id, contact_id) REFERENCES contacts (organization_id, id) ON DELETE CASCADE
  )`
  // Not forced, and without a policy: nobody but the owner, as whom the functions below run, reads or writes a row.
  yield* sql`ALTER TABLE private.contact_search ENABLE ROW LEVEL SECURITY`
  yield* sql`CREATE INDEX contact_search_parts ON private.contact_search
    USING gin (organization_id, name gin_trgm_ops, phone gin_trgm_ops)`

  yield* sql`CREATE FUNCTION keep_contact_search() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, private, pg_temp AS $$
    BEGIN
      INSERT INTO private.contact_search (organization_id, contact_id, name, phone, archived, created_at)
        VALUES (NEW.organization_id, NEW.id, NEW.searchable_name, coalesce(ltrim(NEW.phone, '+'), ''), NEW.archived_at IS NOT NULL,
          NEW.created_at)
        ON CONFLICT (organization_id, contact_id) DO UPDATE
        SET name = EXCLUDED.name, phone = EXCLUDED.phone, archived = EXCLUDED.archived;
      RETURN NULL;
    END $$`
  yield* sql`REVOKE ALL ON FUNCTION keep_contact_search() FROM PUBLIC`
  yield* sql`CREATE TRIGGER contacts_search AFTER INSERT OR UPDATE OF searchable_name, phone, archived_at ON contacts
    FOR EACH ROW EXECUTE FUNCTION keep_contact_search()`
  yield* overAllTenants(
    ["contacts"],
    sql`INSERT INTO private.contact_search SELECT organization_id, id, searchable_name, coalesce(ltrim(phone, '+'), ''),
      archived_at IS NOT NULL, created_at FROM contacts`
  )
})

const signature = "search_contacts(text, text, boolean, text, timestamptz, text, bigint, integer)"

/**
 * $1 and $2 are LIKE patterns of name and digits, $3 archived or not, $4 a tag or null, $5 and $6 where the part before ended or null, $7 skips,
 * $8 limits. Gives the ids of the part, and how many there are in all. Planned anew each time, with the organization and the patterns known: a
 * small organization is read through, a large one looked up in the trigrams.
 */
const makeFunction = (security: "DEFINER" | "INVOKER", source: string) => `CREATE FUNCTION ${signature}
  RETURNS TABLE (ids text[], total bigint)
  LANGUAGE sql STABLE SECURITY ${security} SET search_path = public, pg_temp SET plan_cache_mode = force_custom_plan AS $$
    WITH found AS MATERIALIZED (
      SELECT s.contact_id, s.created_at FROM ${source} s
      WHERE s.organization_id = current_setting('app.organization_id', true) AND s.archived = $3
        AND (s.name LIKE $1 OR s.phone LIKE $2)
        AND ($4 IS NULL OR EXISTS (SELECT 1 FROM contact_tags t
          WHERE t.organization_id = s.organization_id AND t.contact_id = s.contact_id AND t.tag = $4))
    )
    SELECT ARRAY(
      SELECT contact_id FROM found WHERE $6 IS NULL OR (created_at, contact_id) < ($5, $6)
      ORDER BY created_at DESC, contact_id DESC LIMIT $8 OFFSET $7
    ), (SELECT count(*) FROM found)
  $$`

const contacts = `(SELECT organization_id, id AS contact_id, searchable_name AS name, coalesce(ltrim(phone, '+'), '') AS phone,
  archived_at IS NOT NULL AS archived, created_at FROM contacts)`

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [{ indexed }] = yield* sql<{ indexed: boolean }>`SELECT has_database_privilege(current_database(), 'CREATE')
    AND count(*) = 2 AS indexed FROM pg_available_extensions WHERE name IN ('pg_trgm', 'btree_gin')`
  if (indexed) yield* makeIndex
  yield* sql.unsafe(indexed ? makeFunction("DEFINER", "private.contact_search") : makeFunction("INVOKER", contacts))
  yield* sql.unsafe(`REVOKE ALL ON FUNCTION ${signature} FROM PUBLIC`)
})
