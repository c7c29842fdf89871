/** The readers of the event log stop before the oldest open transaction on the server, which may belong to another test in another database. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Resolves when readers see all events that are committed now. */
export const logSettled = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [{ next }] = yield* sql<{ next: string }>`SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next`
  const passed = Effect.map(
    sql<{ passed: boolean }>`SELECT pg_snapshot_xmin(pg_current_snapshot()) >= ${next}::xid8 AS passed`,
    ([row]) => row.passed
  )
  while (!(yield* passed)) yield* Effect.sleep("20 millis")
})
