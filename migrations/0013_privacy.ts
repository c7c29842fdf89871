/** Exports of contacts, and what retention removed. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate, openAcross } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // No cascade from the contact: the file of an export has to go before its row, which whoever erases the contact sees to.
  yield* sql`CREATE TABLE contact_exports (
    organization_id text NOT NULL,
    id text NOT NULL,
    contact_id text NOT NULL,
    status text NOT NULL CHECK (status IN ('queued', 'completed', 'failed')),
    requested_by text NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    size_bytes bigint,
    error text,
    due_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    completed_at timestamptz(3),
    expires_at timestamptz(3) NOT NULL,
    CHECK ((status = 'queued') = (due_at IS NOT NULL)),
    CHECK ((status = 'completed') = (size_bytes IS NOT NULL)),
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, contact_id) REFERENCES contacts (organization_id, id)
  )`
  yield* sql`CREATE INDEX contact_exports_of_contact ON contact_exports (organization_id, contact_id, created_at DESC, id DESC)`
  yield* sql`CREATE INDEX contact_exports_due ON contact_exports (due_at) WHERE due_at IS NOT NULL`
  yield* sql`CREATE INDEX contact_exports_expiry ON contact_exports (expires_at)`
  yield* isolate("contact_exports")
  yield* openAcross("contact_exports", "due")

  yield* sql`CREATE TABLE retention_runs (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    day date NOT NULL,
    transcripts integer NOT NULL,
    utterances integer NOT NULL,
    recordings integer NOT NULL,
    recordings_failed integer NOT NULL,
    tool_calls integer NOT NULL,
    moderations integer NOT NULL,
    finished_at timestamptz NOT NULL,
    others jsonb NOT NULL DEFAULT '{}',
    PRIMARY KEY (organization_id, day)
  )`
  yield* isolate("retention_runs")
})
