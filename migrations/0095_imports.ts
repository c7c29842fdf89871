/** Imports: files of many records, whose rows wait here until they are worked off. What is left of them are the refused rows. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate, openAcross } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // `due_at`: when the next rows are worked off. `place`: the number of the last row that was. `expires_at`: null while it is worked off.
  yield* sql`CREATE TABLE imports (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id text NOT NULL,
    kind text NOT NULL,
    status text NOT NULL CHECK (status IN ('receiving', 'running', 'completed', 'canceled', 'failed')),
    dry_run boolean NOT NULL,
    on_duplicate text NOT NULL CHECK (on_duplicate IN ('skip', 'update')),
    tags text[] NOT NULL,
    file_name text,
    columns jsonb NOT NULL DEFAULT '[]',
    actor_type text NOT NULL,
    requested_by text NOT NULL,
    rows integer NOT NULL DEFAULT 0,
    created integer NOT NULL DEFAULT 0,
    updated integer NOT NULL DEFAULT 0,
    skipped integer NOT NULL DEFAULT 0,
    refused integer NOT NULL DEFAULT 0,
    place integer NOT NULL DEFAULT 0,
    attempts integer NOT NULL DEFAULT 0,
    error text,
    due_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    finished_at timestamptz(3),
    expires_at timestamptz(3),
    CHECK ((status = 'running') = (due_at IS NOT NULL)),
    CHECK ((status = 'running') = (expires_at IS NULL)),
    PRIMARY KEY (organization_id, id)
  )`
  yield* sql`CREATE INDEX imports_newest ON imports (organization_id, created_at DESC, id DESC)`
  yield* sql`CREATE INDEX imports_running ON imports (organization_id, created_at, id) WHERE status = 'running'`
  yield* sql`CREATE INDEX imports_expiry ON imports (expires_at) WHERE expires_at IS NOT NULL`
  yield* isolate("imports")
  yield* openAcross("imports", "due")

  // A row waits while it has no `problem`, and is removed with its outcome. A refused row stays as long as its import. `phone` and `email` are those
  // that the row has, so that the erasure of a contact finds it.
  yield* sql`CREATE TABLE import_rows (
    organization_id text NOT NULL,
    import_id text NOT NULL,
    number integer NOT NULL,
    phone text,
    email text,
    input jsonb,
    original jsonb NOT NULL,
    field text,
    problem text,
    PRIMARY KEY (organization_id, import_id, number),
    FOREIGN KEY (organization_id, import_id) REFERENCES imports (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX import_rows_of_phone ON import_rows (organization_id, phone) WHERE phone IS NOT NULL`
  yield* sql`CREATE INDEX import_rows_of_email ON import_rows (organization_id, email) WHERE email IS NOT NULL AND problem IS NOT NULL`
  yield* isolate("import_rows")
})
