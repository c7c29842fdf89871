/**
 * A tool of a call has its row before its request goes out. Until it has ended the row says that its outcome is not known: whoever asks again after a crash
 * does not run it a second time.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE tool_calls ADD COLUMN begun boolean NOT NULL DEFAULT false`
})
