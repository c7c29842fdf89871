/** The sources of knowledge bases that the answer of a text agent is from, with the message and with the tool that found them. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE messages ADD COLUMN sources jsonb`
  yield* sql`ALTER TABLE agent_tool_runs ADD COLUMN sources jsonb`
})
