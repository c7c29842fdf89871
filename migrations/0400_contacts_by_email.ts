/**
 * Contacts by their e-mail address. `lower` is not leakproof, so row-level security keeps `lower(email) = …` from any index: the address in lower case is a
 * column. PostgreSQL makes it, so the versions before this one write rows that have it, too.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE contacts ADD COLUMN lower_email text GENERATED ALWAYS AS (lower(email)) STORED`
  yield* sql`CREATE INDEX contacts_by_email ON contacts (organization_id, lower_email, id)
    WHERE lower_email IS NOT NULL AND merged_into IS NULL AND archived_at IS NULL`
})
