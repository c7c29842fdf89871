/** Where records of modules come from, and the keys of rows that are imported. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const table of ["companies", "products", "orders", "suppliers"]) {
    // `source_version`: the time of the record at its source and what it said, in an order that is the same whatever comes first.
    yield* sql`ALTER TABLE ${sql(table)} ADD COLUMN source text, ADD COLUMN external_id text, ADD COLUMN source_at timestamptz(3),
      ADD COLUMN source_version text COLLATE "C",
      ADD CHECK (num_nulls(source, external_id, source_at, source_version) IN (0, 4))`
    yield* sql`CREATE UNIQUE INDEX ${sql(`${table}_of_source`)} ON ${sql(table)} (organization_id, source, external_id) WHERE source IS NOT NULL`
    // A source may have two records with one name or number; people may not.
    yield* sql`ALTER TABLE ${sql(table)} DROP CONSTRAINT ${sql(`${table}_organization_id_unique_key_key`)}`
    yield* sql`CREATE UNIQUE INDEX ${sql(`${table}_own_key`)} ON ${sql(table)} (organization_id, unique_key) WHERE source IS NULL`
    yield* sql`CREATE INDEX ${sql(`${table}_key`)} ON ${sql(table)} (organization_id, unique_key, created_at DESC, id DESC) WHERE unique_key IS NOT NULL`
  }
  // What makes a row of an import the same record as another row.
  yield* sql`ALTER TABLE import_rows ADD COLUMN key text`
  yield* sql`CREATE INDEX import_rows_of_key ON import_rows (organization_id, import_id, key) WHERE key IS NOT NULL`
})
