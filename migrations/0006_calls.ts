/** Calls: what was said in them, what the engine told of them, how they were placed, and where they were handed over. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate, openAcross } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // A call we place has no `call_sid` before the provider knows of it. `recordings`: `[{ key, bytes, durationMs }]`, usually one, several when the
  // call came back to its agent. `caller_talk_ms` and `agent_talk_ms`: how long each side was heard. `erased`: its contact was erased, so what is
  // told of the call afterwards (words in the journal of an engine, a late recording) is not kept.
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
    call_sid text,
    started_at timestamptz,
    ended_at timestamptz,
    duration_seconds double precision,
    interruptions integer NOT NULL DEFAULT 0,
    tool_call_count integer NOT NULL DEFAULT 0,
    turns jsonb NOT NULL DEFAULT '[]',
    created_at timestamptz NOT NULL DEFAULT now(),
    recordings jsonb NOT NULL DEFAULT '[]',
    false_interruptions integer NOT NULL DEFAULT 0,
    caller_talk_ms integer,
    agent_talk_ms integer,
    deal_id text,
    failure_reason text,
    provider_status text,
    provider_sequence integer,
    provider_asked_at timestamptz,
    erased boolean NOT NULL DEFAULT false,
    PRIMARY KEY (organization_id, id),
    CONSTRAINT calls_sid UNIQUE (organization_id, call_sid),
    FOREIGN KEY (organization_id, agent_id) REFERENCES voice_agents (organization_id, id) ON DELETE SET NULL (agent_id),
    FOREIGN KEY (organization_id, contact_id) REFERENCES contacts (organization_id, id) ON DELETE SET NULL (contact_id),
    FOREIGN KEY (organization_id, conversation_id) REFERENCES conversations (organization_id, id) ON DELETE SET NULL (conversation_id)
  )`
  yield* sql`CREATE INDEX calls_of_agent ON calls (organization_id, agent_id, created_at DESC, id DESC)`
  yield* sql`CREATE INDEX calls_of_conversation ON calls (organization_id, conversation_id)`
  yield* sql`CREATE INDEX calls_unfinished ON calls (organization_id, created_at)
    WHERE status IN ('queued', 'ringing', 'in_progress')`
  yield* sql`CREATE INDEX calls_by_direction ON calls (organization_id, agent_id, direction, created_at DESC, id DESC)`
  yield* sql`CREATE INDEX calls_by_status ON calls (organization_id, agent_id, status, created_at DESC, id DESC)`
  yield* sql`CREATE INDEX calls_by_end_reason ON calls (organization_id, agent_id, end_reason, created_at DESC, id DESC)`
  yield* sql`CREATE INDEX calls_by_duration ON calls (organization_id, agent_id, duration_seconds)`
  // The other side, whoever called.
  yield* sql`CREATE INDEX calls_by_phone ON calls
    (organization_id, agent_id, (CASE direction WHEN 'inbound' THEN from_address ELSE to_address END), created_at DESC, id DESC)`
  yield* sql`CREATE INDEX calls_with_recordings ON calls (organization_id, created_at, id) WHERE recordings <> '[]'`
  yield* sql`CREATE INDEX calls_of_contact ON calls (organization_id, contact_id)`
  yield* sql`CREATE INDEX calls_by_age ON calls (organization_id, created_at)`
  yield* isolate("calls")
  // For the workers, which serve every organization.
  yield* openAcross("calls", "lookup")

  yield* sql`CREATE TABLE utterances (
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
    FOREIGN KEY (organization_id, call_id) REFERENCES calls (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX utterances_of_call ON utterances (organization_id, call_id, sequence)`
  yield* sql`CREATE INDEX utterances_by_age ON utterances (organization_id, created_at)`
  yield* isolate("utterances")

  // What the engine told of a call and was applied, so that a repeated event is not applied again.
  yield* sql`CREATE TABLE call_events (
    organization_id text NOT NULL,
    id text NOT NULL,
    call_id text NOT NULL,
    type text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, call_id) REFERENCES calls (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX call_events_of_call ON call_events (organization_id, call_id)`
  yield* isolate("call_events")

  yield* sql`CREATE TABLE tool_calls (
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
    FOREIGN KEY (organization_id, call_id) REFERENCES calls (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX tool_calls_by_age ON tool_calls (organization_id, created_at, call_id, id)`
  yield* isolate("tool_calls")

  // Calls on their way to a human: who is dialled, who waits in which queue, and how it ended.
  yield* sql`CREATE TABLE transfers (
    organization_id text NOT NULL,
    id text NOT NULL,
    call_id text NOT NULL,
    tool_call_id text NOT NULL,
    destination text,
    plan text NOT NULL CHECK (plan IN ('transfer', 'queue', 'nobody')),
    position integer NOT NULL,
    outcome text NOT NULL,
    arrived boolean NOT NULL DEFAULT false,
    handed_over boolean NOT NULL DEFAULT false,
    ticket bigint GENERATED ALWAYS AS IDENTITY,
    requested_at timestamptz NOT NULL,
    busy_until timestamptz,
    over_at timestamptz,
    PRIMARY KEY (organization_id, id),
    CONSTRAINT transfers_tool_call UNIQUE (organization_id, call_id, tool_call_id),
    FOREIGN KEY (organization_id, call_id) REFERENCES calls (organization_id, id) ON DELETE CASCADE
  )`
  // Whatever the program does: a human is never given two calls, and a call never asks for two humans at once.
  yield* sql`CREATE UNIQUE INDEX transfers_one_call_per_human ON transfers (organization_id, destination) WHERE outcome = 'dialing'`
  yield* sql`CREATE UNIQUE INDEX transfers_one_human_per_call ON transfers (organization_id, call_id)
    WHERE outcome IN ('dialing', 'queued')`
  yield* sql`CREATE INDEX transfers_line ON transfers (organization_id, destination, ticket) WHERE outcome IN ('dialing', 'queued')`
  yield* sql`CREATE INDEX transfers_of_call ON transfers (organization_id, call_id, ticket)`
  yield* isolate("transfers")
  yield* openAcross("transfers", "lookup")

  // The queue of calls we place. A call is placed at most until `not_after`.
  yield* sql`CREATE TABLE placements (
    organization_id text NOT NULL,
    call_id text NOT NULL,
    state text NOT NULL CHECK (state IN ('waiting', 'placing', 'done')),
    not_after timestamptz NOT NULL,
    placing_since timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, call_id),
    FOREIGN KEY (organization_id, call_id) REFERENCES calls (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX placements_unplaced ON placements (organization_id, created_at) WHERE state <> 'done'`
  yield* sql`CREATE INDEX placements_pace ON placements (organization_id, placing_since DESC)`
  yield* isolate("placements")
  yield* openAcross("placements", "lookup")

  // Messages that callers left outside business hours. `step`: what is to be done next.
  yield* sql`CREATE TABLE voicemails (
    organization_id text NOT NULL,
    recording_sid text NOT NULL,
    call_id text NOT NULL,
    account_sid text NOT NULL,
    step text NOT NULL DEFAULT 'fetch' CHECK (step IN ('fetch', 'remove', 'transcribe', 'done', 'given_up')),
    attempts integer NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL,
    last_error text,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, recording_sid),
    FOREIGN KEY (organization_id, call_id) REFERENCES calls (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX voicemails_due ON voicemails (due_at) WHERE step NOT IN ('done', 'given_up')`
  yield* isolate("voicemails")
  yield* openAcross("voicemails", "lookup")
})
