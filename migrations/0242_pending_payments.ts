/** Payments that a provider still checks; and links without a payment, which retention removes. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE payment_links ADD COLUMN pending_at timestamptz(3)`
  yield* sql`CREATE INDEX payment_links_unpaid ON payment_links (organization_id, updated_at) WHERE paid_at IS NULL AND ask_at IS NULL`
})
