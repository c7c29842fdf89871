/** Test calls: whether a call is one, and the agent as it is tested (encrypted, because its tools may have secrets), for as long as the call lasts. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE calls ADD COLUMN test boolean NOT NULL DEFAULT false`
  yield* sql`CREATE TABLE tested_agents (
    organization_id text NOT NULL REFERENCES organizations,
    call_id text NOT NULL,
    agent text NOT NULL,
    PRIMARY KEY (organization_id, call_id),
    FOREIGN KEY (organization_id, call_id) REFERENCES calls (organization_id, id) ON DELETE CASCADE
  )`
  yield* isolate("tested_agents")
})
