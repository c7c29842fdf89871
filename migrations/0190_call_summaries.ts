/** What calls came to, as a model sums them up afterwards. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate, openAcross } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // A row is made when the end of a call is told (`functions/calls.sql`). `attempts` counts claims: only the newest claim may store something.
  yield* sql`CREATE TABLE call_summaries (
    organization_id text NOT NULL,
    call_id text NOT NULL,
    state text NOT NULL CHECK (state IN ('waiting', 'done', 'nothing_said', 'unavailable')),
    attempts integer NOT NULL DEFAULT 0,
    due_at timestamptz(3) NOT NULL,
    text text,
    outcome text,
    reason text,
    next_step text,
    fields jsonb,
    problem text,
    updated_at timestamptz(3) NOT NULL,
    PRIMARY KEY (organization_id, call_id),
    FOREIGN KEY (organization_id, call_id) REFERENCES calls (organization_id, id) ON DELETE CASCADE,
    CHECK ((state = 'done') = (text IS NOT NULL AND outcome IS NOT NULL))
  )`
  yield* sql`CREATE INDEX call_summaries_due ON call_summaries (due_at) WHERE state = 'waiting'`
  yield* isolate("call_summaries")
  yield* openAcross("call_summaries", "lookup")
})
