/** Voice agents, the telephony account of an organization, and its numbers. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE voice_agents (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id text NOT NULL,
    name text NOT NULL,
    settings jsonb NOT NULL,
    provider_stack jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, id),
    CONSTRAINT voice_agents_name UNIQUE (organization_id, name)
  )`
  yield* sql`CREATE INDEX voice_agents_newest ON voice_agents (organization_id, created_at DESC, id DESC)`
  yield* isolate("voice_agents")

  yield* sql`CREATE TABLE telephony_connections (
    organization_id text PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE,
    id text NOT NULL,
    account_sid text NOT NULL CONSTRAINT telephony_connections_account UNIQUE,
    auth_token text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  )`
  yield* isolate("telephony_connections")

  yield* sql`CREATE TABLE phone_numbers (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id text NOT NULL,
    phone text NOT NULL CONSTRAINT phone_numbers_phone UNIQUE,
    agent_id text,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, id),
    CONSTRAINT phone_numbers_agent UNIQUE (organization_id, agent_id),
    FOREIGN KEY (organization_id, agent_id) REFERENCES voice_agents (organization_id, id) ON DELETE SET NULL (agent_id)
  )`
  yield* isolate("phone_numbers")
})
