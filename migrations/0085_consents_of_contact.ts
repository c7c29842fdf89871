/** An erased contact's consents are withdrawn, also those of numbers that it had earlier: they are found by the contact. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX consents_of_contact ON consents (organization_id, contact_id)`
})
