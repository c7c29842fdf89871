/**
 * Only messages that the channel has named are in the index of its names. Those that wait cost an entry less; and the planner, which takes any index
 * of an organization for as good as the one of ids while it believes that a table is small, cannot take the one in which all that wait are alike.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE messages DROP CONSTRAINT messages_channel_id`
  yield* sql`CREATE UNIQUE INDEX messages_channel_id ON messages (organization_id, channel_message_id) WHERE channel_message_id IS NOT NULL`
})
