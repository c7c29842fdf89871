/** From where and with what a person signed in, so that they know their own sessions. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE sessions ADD COLUMN ip text, ADD COLUMN user_agent text`
})
