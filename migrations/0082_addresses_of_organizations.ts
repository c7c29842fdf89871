/**
 * An e-mail address is unique within its organization. While it was unique over all of them, adding a person told whether another organization has
 * the address.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DROP INDEX users_email`
  yield* sql`CREATE UNIQUE INDEX users_email ON users (organization_id, lower(email))`
  // Signing in finds an address in all organizations.
  yield* sql`CREATE INDEX users_address ON users (lower(email))`
})
