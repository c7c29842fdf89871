/** Notifications that are about no contact: a connection to an integration that failed. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE push_notifications ALTER COLUMN contact_id DROP NOT NULL`
})
