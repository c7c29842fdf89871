/** What a person of the organization said in a call that they had taken over. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE utterances ADD COLUMN "by" text CHECK ("by" = 'person')`
})
