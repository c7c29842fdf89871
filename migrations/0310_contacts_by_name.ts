/** Lists of contacts by name: those without a name come last. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const key = sql.literal(`(coalesce(nullif(searchable_name, ''), chr(1114111)) COLLATE "C")`)
  yield* sql`CREATE INDEX contacts_by_name ON contacts (organization_id, ${key}, id) WHERE archived_at IS NULL`
  yield* sql`CREATE INDEX contacts_archived_by_name ON contacts (organization_id, ${key}, id) WHERE archived_at IS NOT NULL`
})
