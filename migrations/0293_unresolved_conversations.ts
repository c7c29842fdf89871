/** The conversations that are not done, by their latest activity: the first view of the inbox. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX conversations_to_do ON conversations (organization_id, last_activity_at DESC, id DESC) WHERE status <> 'RESOLVED'`
})
