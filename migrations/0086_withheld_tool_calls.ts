/** What the content filter kept from a tool or from the model. The row's texts are those that were kept back. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // The categories for which it was flagged. Null: the tool was run, and the model was told its answer.
  yield* sql`ALTER TABLE tool_calls ADD COLUMN withheld text[]`
})
