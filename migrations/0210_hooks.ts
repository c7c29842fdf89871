/** REST hooks of automation tools: webhook endpoints that a tool made with an API key. Such an endpoint ends with its key. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // `hook_key_id`: the key that subscribed, or the one that it was rotated to; null for a person.
  yield* sql`ALTER TABLE webhook_endpoints ADD COLUMN hook boolean NOT NULL DEFAULT false, ADD COLUMN hook_key_id text`
  yield* sql`CREATE INDEX webhook_endpoints_of_key ON webhook_endpoints (organization_id, hook_key_id) WHERE hook_key_id IS NOT NULL`
})
