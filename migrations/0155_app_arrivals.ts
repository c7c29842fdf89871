/** What integrations tell us: webhooks that have arrived, records that are pulled, and how both sides had a contact last. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate, openAcross } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // The token of the address at which webhooks arrive: as its hash, to find it, and encrypted, to show it.
  yield* sql`ALTER TABLE app_connections ADD COLUMN webhook_token text, ADD COLUMN webhook_hash text`
  yield* sql`CREATE UNIQUE INDEX app_connections_by_webhook ON app_connections (webhook_hash) WHERE webhook_hash IS NOT NULL`

  // `once`: the provider's id of the event. A settled arrival has no payload, but is still known.
  yield* sql`CREATE TABLE app_arrivals (
    organization_id text NOT NULL,
    id text NOT NULL,
    connection_id text NOT NULL,
    position bigint GENERATED ALWAYS AS IDENTITY,
    once text NOT NULL,
    topic text NOT NULL,
    lane text NOT NULL,
    payload text,
    happened_at timestamptz(3),
    status text NOT NULL CHECK (status IN ('pending', 'done', 'dead')),
    claims integer NOT NULL DEFAULT 0,
    failures integer NOT NULL DEFAULT 0,
    due_at timestamptz(3),
    error text,
    created_at timestamptz(3) NOT NULL,
    settled_at timestamptz(3),
    CONSTRAINT app_arrivals_due CHECK ((status = 'pending') = (due_at IS NOT NULL)),
    PRIMARY KEY (organization_id, id),
    CONSTRAINT app_arrivals_once UNIQUE (organization_id, connection_id, once),
    FOREIGN KEY (organization_id, connection_id) REFERENCES app_connections (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX app_arrivals_waiting ON app_arrivals (organization_id, connection_id, due_at) WHERE due_at IS NOT NULL`
  yield* sql`CREATE INDEX app_arrivals_in_order ON app_arrivals (organization_id, connection_id, lane, position) WHERE due_at IS NOT NULL`
  yield* sql`CREATE INDEX app_arrivals_problems ON app_arrivals (organization_id, connection_id) WHERE status = 'dead'`
  yield* sql`CREATE INDEX app_arrivals_newest ON app_arrivals (organization_id, connection_id, created_at DESC, id DESC)`
  yield* sql`CREATE INDEX app_arrivals_by_topic ON app_arrivals (organization_id, connection_id, topic, created_at DESC)`
  yield* sql`CREATE INDEX app_arrivals_by_age ON app_arrivals (organization_id, created_at)`
  yield* sql`CREATE INDEX app_arrivals_with_payload ON app_arrivals (organization_id) WHERE payload IS NOT NULL`
  yield* isolate("app_arrivals")
  yield* openAcross("app_arrivals", "directory")

  // How far each kind of records was pulled. `began_at`: when this pull began, or the last one when none is under way. `due_at`: the next page.
  yield* sql`CREATE TABLE app_pulls (
    organization_id text NOT NULL,
    connection_id text NOT NULL,
    kind text NOT NULL,
    place integer NOT NULL,
    state text NOT NULL CHECK (state IN ('running', 'stopped', 'done', 'failed')),
    since timestamptz(3),
    cursor text,
    began_at timestamptz(3) NOT NULL,
    completed_at timestamptz(3),
    every_ms bigint,
    records integer NOT NULL DEFAULT 0,
    due_at timestamptz(3),
    leased_until timestamptz(3),
    claims integer NOT NULL DEFAULT 0,
    failures integer NOT NULL DEFAULT 0,
    error text,
    PRIMARY KEY (organization_id, connection_id, kind),
    FOREIGN KEY (organization_id, connection_id) REFERENCES app_connections (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX app_pulls_due ON app_pulls (organization_id, connection_id, due_at) WHERE due_at IS NOT NULL`
  yield* isolate("app_pulls")
  yield* openAcross("app_pulls", "directory")

  // The fields of a contact as both sides had them last, and the time of the newest state of it that came from there.
  yield* sql`ALTER TABLE app_links ADD COLUMN fields jsonb, ADD COLUMN remote_at timestamptz(3)`
  yield* sql`CREATE INDEX app_links_by_remote ON app_links (organization_id, connection_id, kind, remote_id)`
  // What is asked for pages of records is about nobody in particular.
  yield* sql`ALTER TABLE app_log ALTER COLUMN contact_id DROP NOT NULL`
})
