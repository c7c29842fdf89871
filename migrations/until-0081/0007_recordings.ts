/** The recordings of a call: usually one, several when the call came back to its agent. `[{ key, bytes, durationMs }]` */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE calls ADD COLUMN recordings jsonb NOT NULL DEFAULT '[]'`
})
