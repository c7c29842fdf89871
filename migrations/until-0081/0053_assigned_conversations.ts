/** Whoever leaves gives up what they had: the conversations that somebody has are found by who has them. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX conversations_of_person ON conversations (organization_id, assigned_user_id)
    WHERE status = 'ASSIGNED' AND assigned_user_id IS NOT NULL`
  yield* sql`CREATE INDEX conversations_of_agent ON conversations (organization_id, assigned_agent_id)
    WHERE status = 'ASSIGNED' AND assigned_agent_id IS NOT NULL`
})
