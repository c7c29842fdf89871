/** The sources of knowledge bases that an answer in a call is from. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE utterances ADD COLUMN sources jsonb`
})
