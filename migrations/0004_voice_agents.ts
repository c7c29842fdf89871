/** Voice agents, the telephony account of an organization, and its numbers. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate, openAcross } from "./isolate.ts"

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
  // A webhook of the provider names the account, before the organization is known.
  yield* openAcross("telephony_connections", "lookup")

  yield* sql`CREATE TABLE phone_numbers (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id text NOT NULL,
    phone text NOT NULL,
    agent_id text,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    origin text NOT NULL DEFAULT 'connected' CHECK (origin IN ('purchased', 'connected', 'sip')),
    state text NOT NULL DEFAULT 'active' CHECK (state IN ('pending', 'active', 'releasing')),
    number_sid text,
    capabilities jsonb,
    PRIMARY KEY (organization_id, id),
    CONSTRAINT phone_numbers_agent UNIQUE (organization_id, agent_id),
    FOREIGN KEY (organization_id, agent_id) REFERENCES voice_agents (organization_id, id) ON DELETE SET NULL (agent_id),
    CONSTRAINT phone_numbers_own UNIQUE (organization_id, phone)
  )`
  // The provider gives a number to one account only. A number that comes by SIP is known to its organization alone: whoever names a number of
  // somebody else keeps nobody from it.
  yield* sql`CREATE UNIQUE INDEX phone_numbers_phone ON phone_numbers (phone) WHERE origin <> 'sip'`
  yield* sql`CREATE INDEX phone_numbers_newest ON phone_numbers (organization_id, created_at DESC, id DESC)`
  yield* isolate("phone_numbers")

  // `password` is encrypted. `ready`: the provider has the credentials as they are here.
  yield* sql`CREATE TABLE sip_credentials (
    organization_id text PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE,
    username text NOT NULL,
    password text NOT NULL,
    ready boolean NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  )`
  yield* isolate("sip_credentials")
})
