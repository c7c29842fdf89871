/** Organizations, the people in them, and their API keys. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE organizations (
    id text PRIMARY KEY,
    name text NOT NULL,
    plan text NOT NULL CHECK (plan IN ('FREE', 'STARTER', 'PRO', 'PREMIUM', 'ENTERPRISE')),
    flags jsonb NOT NULL,
    time_zone text NOT NULL,
    business_hours jsonb,
    disclosure_text text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  )`
  yield* isolate("organizations", "id")

  yield* sql`CREATE TABLE users (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id text NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    role text NOT NULL CHECK (role IN ('OWNER', 'ADMIN', 'AGENT')),
    password_hash text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, id)
  )`
  // People sign in with an address only, so it is unique over all organizations.
  yield* sql`CREATE UNIQUE INDEX users_email ON users (lower(email))`
  yield* isolate("users")

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
    PRIMARY KEY (organization_id, id)
  )`
  yield* isolate("api_keys")
})
