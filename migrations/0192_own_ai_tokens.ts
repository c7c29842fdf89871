/** The AI tokens that an organization may use in a month, agreed on with it. Null: those of its plan. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE organizations ADD COLUMN ai_tokens_per_month bigint CHECK (ai_tokens_per_month >= 0)`
})
