/** Calls on their way to a human: who is dialled, who waits in which line, and how it ended. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE transfers (
    organization_id text NOT NULL,
    id text NOT NULL,
    call_id text NOT NULL,
    tool_call_id text NOT NULL,
    destination text,
    plan text NOT NULL CHECK (plan IN ('transfer', 'queue', 'nobody')),
    position integer NOT NULL,
    outcome text NOT NULL,
    arrived boolean NOT NULL DEFAULT false,
    handed_over boolean NOT NULL DEFAULT false,
    ticket bigint GENERATED ALWAYS AS IDENTITY,
    requested_at timestamptz NOT NULL,
    busy_until timestamptz,
    over_at timestamptz,
    PRIMARY KEY (organization_id, id),
    CONSTRAINT transfers_tool_call UNIQUE (organization_id, call_id, tool_call_id),
    FOREIGN KEY (organization_id, call_id) REFERENCES calls (organization_id, id) ON DELETE CASCADE
  )`
  // Whatever the program does: a human is never given two calls, and a call never asks for two humans at once.
  yield* sql`CREATE UNIQUE INDEX transfers_one_call_per_human ON transfers (organization_id, destination)
    WHERE outcome = 'dialing'`
  yield* sql`CREATE UNIQUE INDEX transfers_one_human_per_call ON transfers (organization_id, call_id)
    WHERE outcome IN ('dialing', 'queued')`
  yield* sql`CREATE INDEX transfers_line ON transfers (organization_id, destination, ticket) WHERE outcome IN ('dialing', 'queued')`
  yield* sql`CREATE INDEX transfers_of_call ON transfers (organization_id, call_id, ticket)`
  yield* isolate("transfers")
})
