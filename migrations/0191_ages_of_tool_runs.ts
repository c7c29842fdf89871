/** The tools that text agents ran, by age: for the audit of tools, and for their removal. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`CREATE INDEX agent_tool_runs_by_age ON agent_tool_runs (organization_id, started_at, turn_id, key)`
})
