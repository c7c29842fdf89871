/** What each person has chosen for the dashboard: the language, and how it looks. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE users ADD COLUMN locale text, ADD COLUMN preferences jsonb NOT NULL DEFAULT '{}'`
})
