/** The disclosure of an organization in the languages for which it has words of its own. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE organizations ADD COLUMN disclosure_texts jsonb NOT NULL DEFAULT '{}'`
})
