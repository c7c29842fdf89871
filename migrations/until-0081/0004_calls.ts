/** Calls, what was said in them, the tools they ran, the callbacks already applied, and the audit log. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE calls (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id text NOT NULL,
    agent_id text,
    contact_id text,
    conversation_id text,
    direction text NOT NULL CHECK (direction IN ('inbound', 'outbound')),
    status text NOT NULL,
    end_reason text,
    from_address text NOT NULL,
    to_address text NOT NULL,
    call_sid text NOT NULL,
    started_at timestamptz,
    ended_at timestamptz,
    duration_seconds double precision,
    interruptions integer NOT NULL DEFAULT 0,
    tool_call_count integer NOT NULL DEFAULT 0,
    turns jsonb NOT NULL DEFAULT '[]',
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, id),
    CONSTRAINT calls_sid UNIQUE (organization_id, call_sid),
    FOREIGN KEY (organization_id, agent_id) REFERENCES voice_agents (organization_id, id) ON DELETE SET NULL (agent_id),
    FOREIGN KEY (organization_id, contact_id) REFERENCES contacts (organization_id, id) ON DELETE SET NULL (contact_id),
    FOREIGN KEY (organization_id, conversation_id) REFERENCES conversations (organization_id, id)
      ON DELETE SET NULL (conversation_id)
  )`
  yield* sql`CREATE INDEX calls_of_agent ON calls (organization_id, agent_id, created_at DESC, id DESC)`
  yield* sql`CREATE INDEX calls_of_conversation ON calls (organization_id, conversation_id)`
  yield* isolate("calls")

  const ofCall = "FOREIGN KEY (organization_id, call_id) REFERENCES calls (organization_id, id) ON DELETE CASCADE"
  yield* sql.unsafe(`CREATE TABLE utterances (
    organization_id text NOT NULL,
    id text NOT NULL,
    call_id text NOT NULL,
    sequence integer NOT NULL,
    role text NOT NULL CHECK (role IN ('caller', 'agent')),
    text text NOT NULL,
    interrupted boolean NOT NULL,
    start_ms integer NOT NULL,
    end_ms integer NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, id),
    ${ofCall}
  )`)
  yield* sql`CREATE INDEX utterances_of_call ON utterances (organization_id, call_id, sequence)`
  yield* isolate("utterances")

  yield* sql.unsafe(`CREATE TABLE call_events (
    organization_id text NOT NULL,
    id text NOT NULL,
    call_id text NOT NULL,
    type text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, id),
    ${ofCall}
  )`)
  yield* sql`CREATE INDEX call_events_of_call ON call_events (organization_id, call_id)`
  yield* isolate("call_events")

  yield* sql.unsafe(`CREATE TABLE tool_calls (
    organization_id text NOT NULL,
    call_id text NOT NULL,
    id text NOT NULL,
    name text NOT NULL,
    arguments text NOT NULL,
    result text NOT NULL,
    outcome text NOT NULL CHECK (outcome IN ('ok', 'error')),
    duration_ms integer NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, call_id, id),
    ${ofCall}
  )`)
  yield* isolate("tool_calls")

  // No foreign key to its subject: the log outlives what it tells about.
  yield* sql`CREATE TABLE audit_log (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id text NOT NULL,
    action text NOT NULL,
    subject_id text NOT NULL,
    details jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, id)
  )`
  yield* sql`CREATE INDEX audit_log_of_subject ON audit_log (organization_id, subject_id, created_at)`
  yield* isolate("audit_log")
})
