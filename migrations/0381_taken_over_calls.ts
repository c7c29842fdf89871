/**
 * The take-overs of a call by other engines: the fence of each, and the sequence of the first utterance that it records. What an engine from before that
 * says of later utterances, or of the call's end, does not count.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE calls ADD COLUMN takeovers jsonb NOT NULL DEFAULT '{}'`
})
