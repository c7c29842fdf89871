/** Broadcasts, with one row per recipient. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate, openAcross } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`CREATE TABLE broadcasts (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id text NOT NULL,
    name text NOT NULL,
    template_name text NOT NULL,
    language text NOT NULL,
    components jsonb NOT NULL,
    audience jsonb NOT NULL,
    status text NOT NULL CHECK (status IN ('draft', 'scheduled', 'running', 'paused', 'completed', 'cancelled', 'failed')),
    scheduled_at timestamptz(3),
    started_at timestamptz(3),
    ended_at timestamptz(3),
    failure_reason text,
    created_by text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    PRIMARY KEY (organization_id, id)
  )`
  yield* sql`CREATE INDEX broadcasts_newest ON broadcasts (organization_id, created_at DESC, id DESC)`
  yield* sql`CREATE INDEX broadcasts_by_status ON broadcasts (organization_id, status, created_at DESC, id DESC)`
  yield* sql`CREATE INDEX broadcasts_by_start ON broadcasts (organization_id, started_at)`
  yield* sql`CREATE INDEX broadcasts_running ON broadcasts (organization_id) WHERE status = 'running'`
  yield* sql`CREATE INDEX broadcasts_to_start ON broadcasts (scheduled_at) WHERE status = 'scheduled'`
  yield* isolate("broadcasts")
  // For the workers, which serve every organization.
  yield* openAcross("broadcasts", "lookup")

  // No foreign key to the contact, nor to the message: whoever was erased stays counted, as an id that names nobody.
  // `due_at`: not before this time. A claim moves it on, so that another worker follows one that died. The message gets its id with the first
  // claim and keeps it: when it is asked for again, it is the same message. Triggers of `messages` keep the status.
  yield* sql`CREATE TABLE broadcast_recipients (
    organization_id text NOT NULL,
    broadcast_id text NOT NULL,
    contact_id text NOT NULL,
    position bigint NOT NULL,
    status text NOT NULL CHECK (status IN ('waiting', 'queued', 'sent', 'delivered', 'read', 'failed', 'skipped')),
    reason text NOT NULL DEFAULT '',
    message_id text,
    due_at timestamptz(3) NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    updated_at timestamptz(3) NOT NULL,
    PRIMARY KEY (organization_id, broadcast_id, contact_id),
    CONSTRAINT broadcast_recipients_message UNIQUE (organization_id, message_id),
    FOREIGN KEY (organization_id, broadcast_id) REFERENCES broadcasts (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX broadcast_recipients_by_status ON broadcast_recipients (organization_id, broadcast_id, status, reason, position)`
  yield* sql`CREATE INDEX broadcast_recipients_newest ON broadcast_recipients (organization_id, broadcast_id, position)`
  yield* sql`CREATE INDEX broadcast_recipients_waiting ON broadcast_recipients (organization_id, broadcast_id, due_at, position)
    WHERE status = 'waiting'`
  yield* isolate("broadcast_recipients")

  // When the next message of an organization may be sent, whichever node sends it.
  yield* sql`CREATE TABLE broadcast_pace (
    organization_id text PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE,
    next_at timestamptz(3) NOT NULL
  )`
  yield* isolate("broadcast_pace")
})
