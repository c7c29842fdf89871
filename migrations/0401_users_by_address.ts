/**
 * People by their e-mail address. `lower` is not leakproof, so row-level security keeps `lower(email) = …` from `users_address`, and a sign-in read all
 * people: the address in lower case is a column, as contacts have it.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE users ADD COLUMN lower_email text GENERATED ALWAYS AS (lower(email)) STORED`
  yield* sql`DROP INDEX users_address`
  yield* sql`CREATE INDEX users_address ON users (lower_email)`
})
