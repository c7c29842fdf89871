/** The schema of a database, read from the catalogs, for comparing two databases. Without rows and the objects of extensions. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const ours = "('public', 'private')"

/** SQL: the object is not a member of an extension. */
const own = (catalog: string, id: string) =>
  `NOT EXISTS (SELECT 1 FROM pg_depend e WHERE e.classid = '${catalog}'::regclass AND e.objid = ${id} AND e.deptype = 'e')`

/** Each query gives the names of objects and a text with all properties of each. */
const queries: Readonly<Record<string, string>> = {
  schema: `SELECT nspname AS name, nspowner::regrole || ' ' || coalesce(nspacl::text, '') AS text FROM pg_namespace WHERE nspname IN ${ours}`,
  extension: "SELECT extname AS name, extnamespace::regnamespace::text AS text FROM pg_extension",
  relation: `SELECT c.oid::regclass::text AS name, concat_ws(' ', c.relkind, c.relpersistence, c.relrowsecurity, c.relforcerowsecurity,
      c.relreplident, c.relowner::regrole, c.reloptions, c.relacl, pg_get_viewdef(c.oid)) AS text
    FROM pg_class c WHERE c.relnamespace::regnamespace::text IN ${ours} AND ${own("pg_class", "c.oid")}`,
  column: `SELECT a.attrelid::regclass || '.' || a.attname AS name, concat_ws(' ',
      row_number() OVER (PARTITION BY a.attrelid ORDER BY a.attnum), format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated,
      a.attcollation::regcollation, a.attstorage, a.attcompression, a.attstattarget, a.attacl, pg_get_expr(d.adbin, d.adrelid)) AS text
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE c.relnamespace::regnamespace::text IN ${ours} AND ${own("pg_class", "c.oid")} AND a.attnum > 0 AND NOT a.attisdropped`,
  constraint: `SELECT concat_ws('.', conrelid::regclass, conname) AS name, concat_ws(' ', pg_get_constraintdef(oid), convalidated) AS text
    FROM pg_constraint k WHERE connamespace::regnamespace::text IN ${ours} AND ${own("pg_constraint", "k.oid")}`,
  index: `SELECT i.indexrelid::regclass::text AS name, concat_ws(' ', pg_get_indexdef(i.indexrelid), i.indisvalid, i.indisclustered) AS text
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relnamespace::regnamespace::text IN ${ours}`,
  trigger: `SELECT t.tgrelid::regclass || '.' || t.tgname AS name, concat_ws(' ', pg_get_triggerdef(t.oid), t.tgenabled) AS text
    FROM pg_trigger t WHERE NOT t.tgisinternal`,
  policy: `SELECT concat_ws('.', schemaname, tablename, policyname) AS name, concat_ws(' ', permissive, roles, cmd, qual, with_check) AS text
    FROM pg_policies`,
  function: `SELECT p.oid::regprocedure::text AS name, concat_ws(' ', pg_get_functiondef(p.oid), p.proowner::regrole, p.proacl) AS text
    FROM pg_proc p WHERE p.pronamespace::regnamespace::text IN ${ours} AND p.prokind <> 'a' AND ${own("pg_proc", "p.oid")}`,
  sequence: `SELECT s.seqrelid::regclass::text AS name, concat_ws(' ', s.seqtypid::regtype, s.seqstart, s.seqincrement, s.seqmin, s.seqmax, s.seqcache,
      s.seqcycle, d.refobjid::regclass || '.' || d.refobjsubid) AS text
    FROM pg_sequence s LEFT JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = s.seqrelid AND d.deptype IN ('a', 'i')`,
  type: `SELECT t.oid::regtype::text AS name, concat_ws(' ', t.typtype, format_type(t.typbasetype, t.typtypmod), t.typacl) AS text FROM pg_type t
    WHERE t.typnamespace::regnamespace::text IN ${ours} AND ${own("pg_type", "t.oid")} AND t.typelem = 0`,
  operator: `SELECT o.oid::regoperator::text AS name, o.oprcode::text AS text FROM pg_operator o
    WHERE o.oprnamespace::regnamespace::text IN ${ours} AND ${own("pg_operator", "o.oid")}`,
  statistics: `SELECT stxname AS name, pg_get_statisticsobjdef(oid) AS text FROM pg_statistic_ext`,
  privileges: `SELECT concat_ws(' ', defaclrole::regrole, defaclnamespace::regnamespace, defaclobjtype) AS name, defaclacl::text AS text FROM pg_default_acl`,
  comment: `SELECT pg_describe_object(classoid, objoid, objsubid) AS name, description AS text FROM pg_description d
    WHERE objoid >= 16384 AND classoid <> 'pg_extension'::regclass AND NOT EXISTS (SELECT 1 FROM pg_depend e
      WHERE e.classid = d.classoid AND e.objid = d.objoid AND e.deptype = 'e')`
}

/** Every object of the connected database by kind and name, with a text of all its properties. Columns are numbered from 1, without dropped ones. */
export const schemaOf: Effect.Effect<ReadonlyMap<string, string>, never, SqlClient.SqlClient> = Effect.gen(
  function* () {
    const sql = yield* SqlClient.SqlClient
    const objects = new Map<string, string>()
    for (const [kind, query] of Object.entries(queries))
      for (const { name, text } of yield* sql.unsafe<{ readonly name: string; readonly text: string }>(query))
        objects.set(`${kind} ${name}`, text)
    return objects
  }
).pipe(Effect.orDie)

/** The objects that are in only one of the databases or differ, one line each. */
export const differences = (
  one: ReadonlyMap<string, string>,
  other: ReadonlyMap<string, string>
): ReadonlyArray<string> =>
  [...new Set([...one.keys(), ...other.keys()])]
    .filter((name) => one.get(name) !== other.get(name))
    .map((name) => `${name}: ${one.get(name) ?? "none"} | ${other.get(name) ?? "none"}`)
    .sort()
