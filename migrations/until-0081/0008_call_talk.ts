/** What a call says of its turn-taking: pauses for nothing, and how long each side was heard. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE calls
    ADD COLUMN false_interruptions integer NOT NULL DEFAULT 0,
    ADD COLUMN caller_talk_ms integer,
    ADD COLUMN agent_talk_ms integer`
})
