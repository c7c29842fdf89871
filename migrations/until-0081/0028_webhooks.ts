/** Events are read in order over all organizations, and can be withdrawn. Outgoing webhooks: endpoints, and what is delivered to them. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Whom an event is about, so that erasing a contact finds what the log says of them. A withdrawn event keeps its place and has no data.
  yield* sql`ALTER TABLE events
    ADD COLUMN contact_id text GENERATED ALWAYS AS (coalesce(data -> 'contact' ->> 'id', data -> 'message' ->> 'contactId',
      data -> 'conversation' -> 'contact' ->> 'id', data -> 'call' ->> 'contactId')) STORED,
    ADD COLUMN withdrawn boolean NOT NULL DEFAULT false`
  yield* sql`CREATE INDEX events_of_contact ON events (organization_id, contact_id) WHERE contact_id IS NOT NULL`
  yield* sql`CREATE INDEX events_in_global_order ON events (transaction, position)`

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
    PRIMARY KEY (organization_id, id),
    CONSTRAINT webhook_deliveries_once UNIQUE (organization_id, event_id, endpoint_id),
    CONSTRAINT webhook_deliveries_due CHECK ((status = 'pending') = (due_at IS NOT NULL)),
    FOREIGN KEY (organization_id, endpoint_id) REFERENCES webhook_endpoints (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, event_id) REFERENCES events (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (organization_id, endpoint_id, created_at DESC, id DESC)`
  yield* sql`CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (organization_id, endpoint_id, due_at) WHERE due_at IS NOT NULL`
  yield* sql`CREATE INDEX webhook_deliveries_answers ON webhook_deliveries (organization_id, attempted_at) WHERE response IS NOT NULL`
  yield* isolate("webhook_deliveries")

  // For the workers of all organizations: which ones have something to do. They give ids and positions, and nothing of what these name.
  for (const table of ["events", "webhook_endpoints", "webhook_deliveries"])
    yield* sql.unsafe(`CREATE POLICY directory ON ${table} FOR SELECT TO CURRENT_USER
      USING ((SELECT current_setting('app.cross_tenant', true)) = 'directory')`)
  // The settled events behind a place in the order, at most so many.
  yield* sql`CREATE FUNCTION events_behind(of_transaction xid8, of_position bigint, most integer)
    RETURNS TABLE (organization_id text, transaction text, "position" text)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    BEGIN
      PERFORM set_config('app.cross_tenant', 'directory', true);
      RETURN QUERY SELECT e.organization_id, e.transaction::text, e.position::text FROM events e
        WHERE (e.transaction, e.position) > (of_transaction, of_position)
          AND e.transaction < pg_snapshot_xmin(pg_current_snapshot())
        ORDER BY e.transaction, e.position LIMIT most;
      PERFORM set_config('app.cross_tenant', '', true);
    END $$`
  // Organizations with an endpoint that has not been given all settled events yet; of these organizations, or of all (null).
  yield* sql`CREATE FUNCTION webhooks_behind(of_organizations text[], most integer) RETURNS SETOF text
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    BEGIN
      PERFORM set_config('app.cross_tenant', 'directory', true);
      RETURN QUERY SELECT DISTINCT w.organization_id FROM webhook_endpoints w
        WHERE w.enabled AND (of_organizations IS NULL OR w.organization_id = ANY (of_organizations))
          AND EXISTS (SELECT 1 FROM events e WHERE e.organization_id = w.organization_id
            AND (e.transaction, e.position) > (w.transaction, w.position)
            AND e.transaction < pg_snapshot_xmin(pg_current_snapshot()))
        LIMIT most;
      PERFORM set_config('app.cross_tenant', '', true);
    END $$`
  // Endpoints with a delivery that is due, and how long it has been: those that wait longest first.
  yield* sql`CREATE FUNCTION webhooks_due(at timestamptz, except_endpoints text[], most integer)
    RETURNS TABLE (organization_id text, endpoint_id text)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    BEGIN
      PERFORM set_config('app.cross_tenant', 'directory', true);
      RETURN QUERY SELECT w.organization_id, w.id FROM webhook_endpoints w
        CROSS JOIN LATERAL (SELECT d.due_at FROM webhook_deliveries d
          WHERE d.organization_id = w.organization_id AND d.endpoint_id = w.id AND d.due_at <= at ORDER BY d.due_at LIMIT 1) first
        WHERE w.enabled AND NOT (w.id = ANY (except_endpoints))
        ORDER BY first.due_at LIMIT most;
      PERFORM set_config('app.cross_tenant', '', true);
    END $$`
  yield* sql`REVOKE ALL ON FUNCTION events_behind(xid8, bigint, integer), webhooks_behind(text[], integer),
    webhooks_due(timestamptz, text[], integer) FROM PUBLIC`
})
