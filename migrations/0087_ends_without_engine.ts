/** An index of calls that are over by the provider's word, and whose engine has said nothing of them. They are few. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX calls_without_engine ON calls (ended_at)
    WHERE end_reason IS NULL AND started_at IS NULL AND ended_at IS NOT NULL`
})
