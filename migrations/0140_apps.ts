/** Integrations: connections, the changes that wait for them, what records are called there, and what was said. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate, openAcross } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // `transaction` and `position`: how far the connection was given the events. `credentials` are encrypted. `resume_at`: nothing is sent before.
  yield* sql`CREATE TABLE app_connections (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id text NOT NULL,
    provider text NOT NULL,
    enabled boolean NOT NULL,
    account_id text NOT NULL,
    account_name text NOT NULL,
    settings jsonb NOT NULL,
    credentials text NOT NULL,
    credentials_version integer NOT NULL DEFAULT 1,
    secret_names text[] NOT NULL,
    state text NOT NULL CHECK (state IN ('connected', 'failing', 'reconnect')),
    problem text,
    failing_since timestamptz(3),
    resume_at timestamptz(3),
    transaction xid8 NOT NULL,
    position bigint NOT NULL,
    backfill text NOT NULL DEFAULT 'none' CHECK (backfill IN ('none', 'running', 'stopped', 'done')),
    backfill_after text NOT NULL DEFAULT '',
    backfill_total integer NOT NULL DEFAULT 0,
    backfill_made integer NOT NULL DEFAULT 0,
    last_synced_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    PRIMARY KEY (organization_id, id),
    CONSTRAINT app_connections_once UNIQUE (organization_id, provider)
  )`
  yield* isolate("app_connections")
  // For the workers of all organizations.
  yield* openAcross("app_connections", "directory")

  // A task names what there is to tell, and holds nothing of it. `position` is its place in the order of its contact.
  yield* sql`CREATE TABLE app_tasks (
    organization_id text NOT NULL,
    id text NOT NULL,
    connection_id text NOT NULL,
    position bigint GENERATED ALWAYS AS IDENTITY,
    trigger text NOT NULL CHECK (trigger IN ('contact.created', 'contact.updated', 'conversation.resolved')),
    contact_id text NOT NULL,
    subject_id text NOT NULL,
    live boolean NOT NULL,
    status text NOT NULL CHECK (status IN ('pending', 'done', 'dead', 'gone')),
    claims integer NOT NULL DEFAULT 0,
    failures integer NOT NULL DEFAULT 0,
    due_at timestamptz(3),
    error text,
    created_at timestamptz(3) NOT NULL,
    settled_at timestamptz(3),
    CONSTRAINT app_tasks_due CHECK ((status = 'pending') = (due_at IS NOT NULL)),
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, connection_id) REFERENCES app_connections (organization_id, id) ON DELETE CASCADE
  )`
  // A change that nobody has begun to send is not added again.
  yield* sql`CREATE UNIQUE INDEX app_tasks_once ON app_tasks (organization_id, connection_id, trigger, subject_id)
    WHERE status = 'pending' AND claims = 0`
  yield* sql`CREATE INDEX app_tasks_waiting ON app_tasks (organization_id, connection_id, due_at) WHERE due_at IS NOT NULL`
  yield* sql`CREATE INDEX app_tasks_in_order ON app_tasks (organization_id, connection_id, contact_id, position)
    WHERE due_at IS NOT NULL`
  yield* sql`CREATE INDEX app_tasks_problems ON app_tasks (organization_id, connection_id, settled_at DESC, id DESC)
    WHERE status = 'dead'`
  yield* sql`CREATE INDEX app_tasks_by_age ON app_tasks (organization_id, created_at)`
  yield* sql`CREATE INDEX app_tasks_of_contact ON app_tasks (organization_id, contact_id)`
  yield* isolate("app_tasks")
  yield* openAcross("app_tasks", "directory")

  // What our records are called at the provider.
  yield* sql`CREATE TABLE app_links (
    organization_id text NOT NULL,
    connection_id text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('contact', 'conversation')),
    local_id text NOT NULL,
    contact_id text NOT NULL,
    remote_id text NOT NULL,
    hash text,
    updated_at timestamptz(3) NOT NULL,
    PRIMARY KEY (organization_id, connection_id, kind, local_id),
    FOREIGN KEY (organization_id, connection_id) REFERENCES app_connections (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX app_links_of_contact ON app_links (organization_id, contact_id)`
  yield* isolate("app_links")

  yield* sql`CREATE TABLE app_log (
    organization_id text NOT NULL,
    id text NOT NULL,
    connection_id text NOT NULL,
    task_id text NOT NULL,
    contact_id text NOT NULL,
    method text NOT NULL,
    url text NOT NULL,
    request text,
    status integer,
    response text,
    error text,
    duration_ms integer NOT NULL,
    created_at timestamptz(3) NOT NULL,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, connection_id) REFERENCES app_connections (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX app_log_newest ON app_log (organization_id, connection_id, created_at DESC, id DESC)`
  yield* sql`CREATE INDEX app_log_by_age ON app_log (organization_id, created_at)`
  yield* sql`CREATE INDEX app_log_of_contact ON app_log (organization_id, contact_id)`
  yield* isolate("app_log")
})
