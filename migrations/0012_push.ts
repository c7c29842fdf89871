/** Notifications on devices: the devices, how far the events are read, and what is still to be sent. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate, openAcross } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

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
  // Whoever has a token may take it over from another organization.
  yield* openAcross("devices", "push")
  yield* openAcross("devices", "push", "DELETE", "push_take")

  yield* sql`CREATE TABLE push_cursors (
    organization_id text PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE,
    transaction xid8 NOT NULL,
    position bigint NOT NULL
  )`
  yield* isolate("push_cursors")
  yield* openAcross("push_cursors", "push")

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
  yield* openAcross("push_notifications", "push")
})
