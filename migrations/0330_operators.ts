/** Who runs the installation: operators and their sessions, what they did, gates of flags, and runs that bring all agents up to date. None of it belongs to an organization. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`CREATE TABLE operators (
    id text PRIMARY KEY,
    email text NOT NULL,
    name text NOT NULL,
    password_hash text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    removed_at timestamptz(3)
  )`
  yield* sql`CREATE UNIQUE INDEX operators_email ON operators (lower(email)) WHERE removed_at IS NULL`

  yield* sql`CREATE TABLE operator_sessions (
    id text PRIMARY KEY,
    operator_id text NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
    token_hash text NOT NULL UNIQUE,
    created_at timestamptz(3) NOT NULL,
    last_seen_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    ip text,
    user_agent text
  )`
  yield* sql`CREATE INDEX operator_sessions_of ON operator_sessions (operator_id)`

  // What operators did, and what happened to the installation. Rows are only added. An organization may be gone while its rows stay.
  yield* sql`CREATE TABLE installation_events (
    id text PRIMARY KEY,
    type text NOT NULL,
    actor_type text NOT NULL CHECK (actor_type IN ('operator', 'system')),
    actor_id text,
    organization text,
    subject_id text,
    details jsonb NOT NULL,
    reason text,
    ip text,
    request_id text,
    created_at timestamptz(3) NOT NULL
  )`
  yield* sql`CREATE INDEX installation_events_newest ON installation_events (created_at DESC, id DESC)`
  yield* sql`CREATE INDEX installation_events_of ON installation_events (organization, created_at DESC) WHERE organization IS NOT NULL`

  // How many organizations in a hundred of a stage may use a flag that they have. Without a row: all.
  yield* sql`CREATE TABLE flag_gates (
    flag text PRIMARY KEY CHECK (flag IN ('voiceAgents', 'voicePremium')),
    staging integer NOT NULL CHECK (staging BETWEEN 0 AND 100),
    production integer NOT NULL CHECK (production BETWEEN 0 AND 100),
    updated_at timestamptz(3) NOT NULL
  )`
  yield* sql`ALTER TABLE organizations ADD COLUMN stage text NOT NULL DEFAULT 'production'
    CHECK (stage IN ('staging', 'production'))`

  // Null organization: all of them. The last agent that was brought up to date is where another process goes on.
  yield* sql`CREATE TABLE resyncs (
    id text PRIMARY KEY,
    organization text,
    status text NOT NULL CHECK (status IN ('running', 'paused', 'cancelled', 'completed')),
    reason text NOT NULL,
    total integer,
    updated integer NOT NULL DEFAULT 0,
    unchanged integer NOT NULL DEFAULT 0,
    failed integer NOT NULL DEFAULT 0,
    last_organization text,
    last_agent text,
    failures jsonb NOT NULL DEFAULT '[]',
    claim text,
    claimed_until timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    ended_at timestamptz(3)
  )`
  yield* sql`CREATE UNIQUE INDEX resyncs_one ON resyncs ((true)) WHERE status IN ('running', 'paused')`
  yield* sql`CREATE INDEX resyncs_newest ON resyncs (created_at DESC, id DESC)`
})
