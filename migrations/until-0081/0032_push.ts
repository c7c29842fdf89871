/** The devices people are told on, how far the telling of events has come, and what is still to be told. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE organizations ADD COLUMN push_preview boolean NOT NULL DEFAULT false`

  // A token belongs to one device, and a device to whoever signed in on it last, in whichever organization.
  yield* sql`CREATE TABLE devices (
    organization_id text NOT NULL,
    id text NOT NULL,
    user_id text NOT NULL,
    session_id text NOT NULL,
    platform text NOT NULL CHECK (platform IN ('ios', 'android', 'web')),
    token text NOT NULL,
    token_hash text NOT NULL CONSTRAINT devices_token UNIQUE,
    created_at timestamptz(3) NOT NULL,
    last_seen_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, user_id) REFERENCES users (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX devices_of_user ON devices (organization_id, user_id)`
  yield* sql`CREATE INDEX devices_of_session ON devices (organization_id, session_id)`
  yield* isolate("devices")

  yield* sql`CREATE TABLE push_cursors (
    organization_id text PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE,
    transaction xid8 NOT NULL,
    position bigint NOT NULL
  )`
  yield* isolate("push_cursors")

  yield* sql`CREATE TABLE push_notifications (
    organization_id text NOT NULL,
    event_id text NOT NULL,
    device_id text NOT NULL,
    contact_id text NOT NULL,
    collapse_key text NOT NULL,
    title text NOT NULL,
    body text NOT NULL,
    data jsonb NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    due_at timestamptz(3) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    PRIMARY KEY (organization_id, event_id, device_id),
    FOREIGN KEY (organization_id, device_id) REFERENCES devices (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, contact_id) REFERENCES contacts (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX push_notifications_due ON push_notifications (due_at)`
  yield* sql`CREATE INDEX push_notifications_of_device ON push_notifications (organization_id, device_id)`
  yield* sql`CREATE INDEX push_notifications_of_contact ON push_notifications (organization_id, contact_id)`
  yield* isolate("push_notifications")

  // As the look-ups of 0005: for jobs that serve every organization, ids and nothing else; and whoever has a token may take it over.
  for (const table of ["push_cursors", "push_notifications", "devices", "events"])
    yield* sql.unsafe(`CREATE POLICY push ON ${table} FOR SELECT TO CURRENT_USER
      USING ((SELECT current_setting('app.cross_tenant', true)) = 'push')`)
  yield* sql`CREATE POLICY push_take ON devices FOR DELETE TO CURRENT_USER
    USING ((SELECT current_setting('app.cross_tenant', true)) = 'push')`
  yield* sql`CREATE FUNCTION organizations_to_push(most integer) RETURNS SETOF text
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    BEGIN
      PERFORM set_config('app.cross_tenant', 'push', true);
      RETURN QUERY SELECT c.organization_id FROM push_cursors c
        WHERE EXISTS (SELECT 1 FROM events e WHERE e.organization_id = c.organization_id
          AND (e.transaction, e.position) > (c.transaction, c.position)
          AND e.transaction < pg_snapshot_xmin(pg_current_snapshot()))
        AND EXISTS (SELECT 1 FROM devices d WHERE d.organization_id = c.organization_id) LIMIT most;
      PERFORM set_config('app.cross_tenant', '', true);
    END $$`
  yield* sql`CREATE FUNCTION due_pushes(at timestamptz, most integer)
    RETURNS TABLE (organization_id text, event_id text, device_id text)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    BEGIN
      PERFORM set_config('app.cross_tenant', 'push', true);
      RETURN QUERY SELECT n.organization_id, n.event_id, n.device_id FROM push_notifications n
        WHERE n.due_at <= at ORDER BY n.due_at LIMIT most;
      PERFORM set_config('app.cross_tenant', '', true);
    END $$`
  yield* sql`CREATE FUNCTION free_device_token(wanted text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    BEGIN
      PERFORM set_config('app.cross_tenant', 'push', true);
      DELETE FROM devices WHERE token_hash = wanted;
      PERFORM set_config('app.cross_tenant', '', true);
    END $$`
  yield* sql`REVOKE ALL ON FUNCTION organizations_to_push(integer), due_pushes(timestamptz, integer), free_device_token(text) FROM PUBLIC`
})
