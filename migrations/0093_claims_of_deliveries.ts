/**
 * Until when a process has a delivery of a webhook under way: one that only waits for its retry can be sent at once. And why the messaging channel does
 * not take an organization's credentials any more.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE webhook_deliveries ADD COLUMN claimed_until timestamptz`
  yield* sql`ALTER TABLE channel_connections ADD COLUMN problem text, ADD COLUMN problem_at timestamptz(3)`
})
