/** Who may come in: people with their sessions, API keys, repeated requests; and the log of who changed what. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate, openAcross } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // A person who left keeps the row, because the audit log and messages name it. Of an invitation only the hash of its token is kept.
  yield* sql`CREATE TABLE users (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id text NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    role text NOT NULL CHECK (role IN ('OWNER', 'ADMIN', 'AGENT')),
    password_hash text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    deactivated_at timestamptz(3),
    invitation_hash text CONSTRAINT users_invitation UNIQUE,
    invited_until timestamptz(3),
    PRIMARY KEY (organization_id, id)
  )`
  // People sign in with an address only, so it is unique over all organizations.
  yield* sql`CREATE UNIQUE INDEX users_email ON users (lower(email))`
  yield* sql`CREATE INDEX users_newest ON users (organization_id, created_at DESC, id DESC)`
  yield* isolate("users")
  // A person is found by address or invitation before the organization is known.
  yield* openAcross("users", "lookup")

  // `token_hash` is the hash of the cookie.
  yield* sql`CREATE TABLE sessions (
    organization_id text NOT NULL,
    id text NOT NULL,
    user_id text NOT NULL,
    token_hash text NOT NULL CONSTRAINT sessions_token UNIQUE,
    created_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, user_id) REFERENCES users (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX sessions_of_user ON sessions (organization_id, user_id)`
  yield* sql`CREATE INDEX sessions_expiry ON sessions (expires_at)`
  yield* isolate("sessions")
  // A session is found by its cookie before the organization is known, and removed when it has expired.
  yield* openAcross("sessions", "expire", "SELECT", "expire_select")
  yield* openAcross("sessions", "lookup")
  yield* openAcross("sessions", "expire", "DELETE", "expire_delete")

  // `prefix` finds a key, `secret_hash` proves it. `rotated_to`: the key that took the place of this one.
  yield* sql`CREATE TABLE api_keys (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id text NOT NULL,
    name text NOT NULL,
    prefix text NOT NULL CONSTRAINT api_keys_prefix UNIQUE,
    secret_hash bytea NOT NULL,
    scopes text[] NOT NULL,
    expires_at timestamptz,
    revoked_at timestamptz,
    last_used_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    last_four text,
    rotated_to text,
    PRIMARY KEY (organization_id, id)
  )`
  yield* sql`CREATE INDEX api_keys_newest ON api_keys (organization_id, created_at DESC, id DESC)`
  yield* isolate("api_keys")
  yield* openAcross("api_keys", "lookup")

  // Requests that carry an `Idempotency-Key`, with the answers they got.
  yield* sql`CREATE TABLE idempotency_keys (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    caller text NOT NULL,
    method text NOT NULL,
    path text NOT NULL,
    key text NOT NULL,
    id text NOT NULL,
    body_hash text NOT NULL,
    attempt integer NOT NULL DEFAULT 1,
    leased_until timestamptz NOT NULL,
    answer text,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, caller, method, path, key),
    CONSTRAINT idempotency_keys_id UNIQUE (organization_id, id)
  )`
  yield* sql`CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at)`
  yield* isolate("idempotency_keys")
  yield* openAcross("idempotency_keys", "expire", "SELECT", "expire_select")
  yield* openAcross("idempotency_keys", "expire", "DELETE", "expire_delete")

  // No foreign key to the subject: the log outlives what it tells about. None that cascades from the organization either: whoever may delete an
  // organization could delete its log.
  yield* sql`CREATE TABLE audit_log (
    organization_id text NOT NULL CONSTRAINT audit_log_organization REFERENCES organizations (id),
    id text NOT NULL,
    action text NOT NULL,
    subject_id text NOT NULL,
    details jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    actor_type text NOT NULL DEFAULT 'system' CHECK (actor_type IN ('key', 'user', 'operator', 'system')),
    actor_id text,
    state_before jsonb,
    state_after jsonb,
    ip text,
    request_id text,
    PRIMARY KEY (organization_id, id)
  )`
  yield* sql`CREATE INDEX audit_log_of_subject ON audit_log (organization_id, subject_id, created_at)`
  yield* sql`CREATE INDEX audit_log_by_age ON audit_log (organization_id, action, created_at)`
  yield* sql`CREATE INDEX audit_log_newest ON audit_log (organization_id, created_at DESC, id DESC)`
  yield* sql`CREATE INDEX audit_log_of_actor ON audit_log (organization_id, actor_id, created_at DESC)`
  yield* isolate("audit_log")
})
