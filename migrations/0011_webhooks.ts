/** Outgoing webhooks: endpoints, and what is delivered to them. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate, openAcross } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // `transaction` and `position`: how far the endpoint was given the events. `headers` and secrets are encrypted.
  yield* sql`CREATE TABLE webhook_endpoints (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id text NOT NULL,
    url text NOT NULL,
    description text NOT NULL,
    event_types text[] NOT NULL,
    headers text,
    enabled boolean NOT NULL,
    disabled_reason text,
    secret text NOT NULL,
    previous_secret text,
    previous_secret_until timestamptz(3),
    failing_since timestamptz(3),
    transaction xid8 NOT NULL,
    position bigint NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    PRIMARY KEY (organization_id, id)
  )`
  yield* sql`CREATE INDEX webhook_endpoints_newest ON webhook_endpoints (organization_id, created_at DESC, id DESC)`
  yield* isolate("webhook_endpoints")
  // For the workers of all organizations.
  yield* openAcross("webhook_endpoints", "directory")

  yield* sql`CREATE TABLE webhook_deliveries (
    organization_id text NOT NULL,
    id text NOT NULL,
    endpoint_id text NOT NULL,
    event_id text NOT NULL,
    event_type text NOT NULL,
    status text NOT NULL CHECK (status IN ('pending', 'delivered', 'failed', 'discarded')),
    attempts integer NOT NULL DEFAULT 0,
    due_at timestamptz(3),
    http_status integer,
    error text,
    response text,
    duration_ms integer,
    attempted_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT webhook_deliveries_due CHECK ((status = 'pending') = (due_at IS NOT NULL)),
    PRIMARY KEY (organization_id, id),
    CONSTRAINT webhook_deliveries_once UNIQUE (organization_id, event_id, endpoint_id),
    FOREIGN KEY (organization_id, endpoint_id) REFERENCES webhook_endpoints (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, event_id) REFERENCES events (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (organization_id, endpoint_id, created_at DESC, id DESC)`
  yield* sql`CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (organization_id, endpoint_id, due_at)
    WHERE due_at IS NOT NULL`
  yield* sql`CREATE INDEX webhook_deliveries_answers ON webhook_deliveries (organization_id, attempted_at)
    WHERE response IS NOT NULL`
  yield* isolate("webhook_deliveries")
  yield* openAcross("webhook_deliveries", "directory")
})
