/** The slowest turn of each call, by which slow calls are found. A trigger keeps it (`functions/calls.sql`). */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE calls ADD COLUMN slowest_ms double precision`
  yield* sql`ALTER TABLE calls NO FORCE ROW LEVEL SECURITY`
  yield* sql`UPDATE calls SET slowest_ms = (SELECT max((turn ->> 'firstFrameMs')::double precision)
    FROM jsonb_array_elements(turns) AS turn) WHERE turns <> '[]'`
  yield* sql`ALTER TABLE calls FORCE ROW LEVEL SECURITY`
  yield* sql`CREATE INDEX calls_by_slowest ON calls (organization_id, slowest_ms) WHERE slowest_ms IS NOT NULL`
})
