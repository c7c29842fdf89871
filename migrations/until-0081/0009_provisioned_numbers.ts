/** Numbers that are bought, connected and released at the telephony provider, and leases: who may change an organization's account there. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE phone_numbers
    ADD COLUMN origin text NOT NULL DEFAULT 'connected' CHECK (origin IN ('purchased', 'connected', 'sip')),
    ADD COLUMN state text NOT NULL DEFAULT 'active' CHECK (state IN ('pending', 'active', 'releasing')),
    ADD COLUMN number_sid text,
    ADD COLUMN capabilities jsonb`
  // The provider gives a number to one account only. A number that comes by SIP is known to its organization alone: naming one that is
  // somebody else's keeps nobody from it.
  yield* sql`ALTER TABLE phone_numbers DROP CONSTRAINT phone_numbers_phone`
  yield* sql`CREATE UNIQUE INDEX phone_numbers_phone ON phone_numbers (phone) WHERE origin <> 'sip'`
  yield* sql`ALTER TABLE phone_numbers ADD CONSTRAINT phone_numbers_own UNIQUE (organization_id, phone)`
  yield* sql`CREATE INDEX phone_numbers_newest ON phone_numbers (organization_id, created_at DESC, id DESC)`

  yield* sql`CREATE TABLE leases (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    name text NOT NULL,
    holder text NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, name)
  )`
  yield* isolate("leases")
})
