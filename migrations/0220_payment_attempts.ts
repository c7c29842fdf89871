/** Payments that were begun on our page of a link, at a provider that has no lasting page of its own: the provider's ids, oldest first. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE payment_links ADD COLUMN attempts text[] NOT NULL DEFAULT '{}'`
})
