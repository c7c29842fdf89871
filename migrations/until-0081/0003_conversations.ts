/** The people an organization talks with, and its threads with them. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE contacts (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id text NOT NULL,
    phone text NOT NULL,
    name text,
    opted_in boolean NOT NULL DEFAULT false,
    consent jsonb NOT NULL DEFAULT '{}',
    archived_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, id),
    CONSTRAINT contacts_phone UNIQUE (organization_id, phone)
  )`
  yield* isolate("contacts")

  yield* sql`CREATE TABLE conversations (
    organization_id text NOT NULL,
    id text NOT NULL,
    contact_id text NOT NULL,
    channel text NOT NULL CHECK (channel IN ('messaging', 'voice', 'team_chat')),
    status text NOT NULL DEFAULT 'OPEN' CHECK (status IN ('OPEN', 'ASSIGNED', 'RESOLVED')),
    assigned_user_id text,
    assigned_agent_id text,
    flagged boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, contact_id) REFERENCES contacts (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, assigned_user_id) REFERENCES users (organization_id, id)
      ON DELETE SET NULL (assigned_user_id),
    FOREIGN KEY (organization_id, assigned_agent_id) REFERENCES voice_agents (organization_id, id)
      ON DELETE SET NULL (assigned_agent_id)
  )`
  yield* sql`CREATE INDEX conversations_unresolved ON conversations (organization_id, contact_id, channel, created_at DESC)
    WHERE status <> 'RESOLVED'`
  yield* sql`CREATE INDEX conversations_newest ON conversations (organization_id, created_at DESC, id DESC)`
  yield* isolate("conversations")
})
