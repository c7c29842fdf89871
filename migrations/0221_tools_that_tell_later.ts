/** Whether a tool that ran in a call has said that the call will be told more: a repeated request, and a call that comes back, ask for it again. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE tool_calls ADD COLUMN tells_later boolean NOT NULL DEFAULT false`
})
