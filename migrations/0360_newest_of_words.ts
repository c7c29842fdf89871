/** Searches of modules: with its words stand the time of a record and whether it is archived, so that an index gives the newest records of a word. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const tables = ["companies", "products", "orders", "suppliers"]

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const force = (how: string) =>
    Effect.forEach([...tables, "module_words"], (table) => sql.unsafe(`ALTER TABLE ${table} ${how} ROW LEVEL SECURITY`))

  yield* sql`DROP INDEX module_words_of_record`
  yield* sql`ALTER TABLE module_words DROP CONSTRAINT module_words_pkey, ADD COLUMN created_at timestamptz(3), ADD COLUMN archived boolean`
  yield* force("NO FORCE")
  for (const table of tables)
    yield* sql`UPDATE module_words w SET created_at = r.created_at, archived = r.archived_at IS NOT NULL FROM ${sql(table)} r
      WHERE w.module = ${table} AND r.organization_id = w.organization_id AND r.id = w.record_id`
  yield* sql`DELETE FROM module_words WHERE created_at IS NULL`
  yield* force("FORCE")
  yield* sql`ALTER TABLE module_words ALTER COLUMN created_at SET NOT NULL, ALTER COLUMN archived SET NOT NULL,
    ADD PRIMARY KEY (organization_id, module, record_id, word)`
  yield* sql`CREATE INDEX module_words_newest ON module_words (organization_id, module, archived, word, created_at DESC, record_id DESC)`
  // Only what was vacuumed is read from the index alone, and lists begin with the newest.
  for (const table of [...tables, "module_words"])
    yield* sql`ALTER TABLE ${sql(table)} SET (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05)`
})
