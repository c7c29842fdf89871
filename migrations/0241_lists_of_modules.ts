/** What long lists of modules need: the words of a record beside its fields, and indexes for archived records and for orders. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const tables = ["companies", "products", "orders", "suppliers"]

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const force = (how: string) =>
    Effect.forEach([...tables, "module_words"], (table) => sql.unsafe(`ALTER TABLE ${table} ${how} ROW LEVEL SECURITY`))

  yield* force("NO FORCE")
  for (const table of tables) {
    yield* sql`ALTER TABLE ${sql(table)} ADD COLUMN words text NOT NULL DEFAULT ''`
    yield* sql`UPDATE ${sql(table)} r SET words = f.words FROM (
        SELECT organization_id, record_id, string_agg(' ' || word, '') AS words FROM module_words WHERE module = ${table} GROUP BY 1, 2
      ) f WHERE r.organization_id = f.organization_id AND r.id = f.record_id`
    for (const time of ["created_at", "updated_at"])
      yield* sql`CREATE INDEX ${sql(`${table}_archived_by_${time}`)} ON ${sql(table)} (organization_id, ${sql(time)} DESC, id DESC)
        WHERE archived_at IS NOT NULL`
  }
  yield* force("FORCE")

  yield* sql`CREATE INDEX orders_of_conversation ON orders (organization_id, conversation_id, created_at DESC, id DESC)
    WHERE conversation_id IS NOT NULL`
  yield* sql`CREATE INDEX orders_with_status_by_updated_at ON orders (organization_id, status, updated_at DESC, id DESC) WHERE archived_at IS NULL`
})
