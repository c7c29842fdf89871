/** What happened, written in the transaction of the change itself: the source of the live feed, of webhooks and of push. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate, openAcross } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Transactions become visible out of the order of their ids. A reader stops before the oldest transaction under way (`pg_snapshot_xmin`), so that
  // nothing appears behind it later; `transaction` and `position` are the order. No lock is taken to write.
  // `contact_id`: whom an event is about, so that erasing a contact finds what the log says of them. A withdrawn event keeps its place and has no
  // data.
  yield* sql`CREATE TABLE events (
    organization_id text NOT NULL,
    id text NOT NULL,
    transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
    position bigint GENERATED ALWAYS AS IDENTITY,
    type text NOT NULL,
    data jsonb NOT NULL,
    created_at timestamptz(3) NOT NULL,
    contact_id text GENERATED ALWAYS AS (coalesce(data -> 'contact' ->> 'id', data -> 'message' ->> 'contactId',
      data -> 'conversation' -> 'contact' ->> 'id', data -> 'call' ->> 'contactId')) STORED,
    withdrawn boolean NOT NULL DEFAULT false,
    PRIMARY KEY (organization_id, id)
  )`
  yield* sql`CREATE INDEX events_in_order ON events (organization_id, transaction, position)`
  yield* sql`CREATE INDEX events_by_age ON events (organization_id, created_at)`
  yield* sql`CREATE INDEX events_of_contact ON events (organization_id, contact_id) WHERE contact_id IS NOT NULL`
  yield* sql`CREATE INDEX events_in_global_order ON events (transaction, position)`
  yield* isolate("events")
  yield* openAcross("events", "directory")
  yield* openAcross("events", "push")
})
