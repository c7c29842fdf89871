/** The index for the calls with one number serves lists of one agent and of all: a number has few calls. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX calls_of_number ON calls
    (organization_id, (CASE direction WHEN 'inbound' THEN from_address ELSE to_address END), created_at DESC, id DESC)`
  yield* sql`DROP INDEX calls_by_phone`
})
