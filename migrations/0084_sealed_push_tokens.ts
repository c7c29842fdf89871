/**
 * The tokens of devices are stored encrypted. The keys are not in the database, so existing tokens are encrypted by the service after its start
 * (`DeviceTokens.ts`); until then, and only then, `token` has a value.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE devices
    ADD COLUMN sealed_token text,
    ALTER COLUMN token DROP NOT NULL,
    ADD CONSTRAINT devices_has_token CHECK (num_nonnulls(token, sealed_token) = 1)`
  yield* sql`CREATE INDEX devices_unsealed ON devices (organization_id) WHERE token IS NOT NULL`
})
