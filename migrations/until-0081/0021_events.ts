/** What happened, written with the change itself: the source of the live feed, of outgoing webhooks and of push. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Transactions become visible out of the order of their ids. A reader stops before the oldest one under way (pg_snapshot_xmin), so that
  // nothing appears behind it later; `transaction` and `position` are the order. No lock is taken to write.
  yield* sql`CREATE TABLE events (
    organization_id text NOT NULL,
    id text NOT NULL,
    transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
    position bigint GENERATED ALWAYS AS IDENTITY,
    type text NOT NULL,
    data jsonb NOT NULL,
    created_at timestamptz(3) NOT NULL,
    PRIMARY KEY (organization_id, id)
  )`
  yield* sql`CREATE INDEX events_in_order ON events (organization_id, transaction, position)`
  yield* sql`CREATE INDEX events_by_age ON events (organization_id, created_at)`
  yield* isolate("events")
})
