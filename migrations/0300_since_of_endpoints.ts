/** Where an endpoint of webhooks began: events that this snapshot shows were there before it. Null once the endpoint has passed them all. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE webhook_endpoints ADD COLUMN since pg_snapshot`
})
