/** What the views of the inbox are listed by: snoozed until when, due when, whose, on which channel, unread. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE conversations ADD COLUMN snoozed_until timestamptz(3)`
  yield* sql`CREATE INDEX conversations_snoozed ON conversations (organization_id, snoozed_until) WHERE snoozed_until IS NOT NULL`
  yield* sql`CREATE INDEX conversations_due_next ON conversations (organization_id, (LEAST(response_due_at, resolution_due_at)))
    WHERE response_due_at IS NOT NULL OR resolution_due_at IS NOT NULL`
  yield* sql`CREATE INDEX conversations_unread ON conversations (organization_id, last_activity_at DESC, id DESC) WHERE unread_count > 0`
  yield* sql`CREATE INDEX conversations_of_person_active ON conversations (organization_id, assigned_user_id, last_activity_at DESC, id DESC)
    WHERE assigned_user_id IS NOT NULL`
  yield* sql`CREATE INDEX conversations_beside_messaging ON conversations (organization_id, channel, last_activity_at DESC, id DESC)
    WHERE channel <> 'messaging'`
})
