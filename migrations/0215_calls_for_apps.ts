/** Integrations are told of calls that have ended, too. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE app_tasks DROP CONSTRAINT app_tasks_trigger_check, ADD CONSTRAINT app_tasks_trigger_check
    CHECK (trigger IN ('contact.created', 'contact.updated', 'conversation.resolved', 'call.ended'))`
})
