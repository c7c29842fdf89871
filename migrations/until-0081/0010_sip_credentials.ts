/** SIP credentials of an organization; the password is encrypted. `ready`: the provider has them as they are here. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE sip_credentials (
    organization_id text PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE,
    username text NOT NULL,
    password text NOT NULL,
    ready boolean NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  )`
  yield* isolate("sip_credentials")
})
