/** Reminders of abandoned carts: when one is due, and when it was sent. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE carts ADD COLUMN remind_at timestamptz(3), ADD COLUMN reminded_at timestamptz(3)`
  yield* sql`CREATE INDEX carts_to_remind ON carts (remind_at) WHERE remind_at IS NOT NULL`
  yield* sql`CREATE INDEX carts_reminded ON carts (organization_id, contact_id, reminded_at) WHERE reminded_at IS NOT NULL`
})
