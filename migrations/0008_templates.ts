/** Templates as the channel told of them, and quick replies. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`CREATE TABLE templates (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id text NOT NULL,
    channel_template_id text NOT NULL,
    name text NOT NULL,
    language text NOT NULL,
    status text NOT NULL,
    category text NOT NULL,
    components jsonb NOT NULL,
    rejected_reason text,
    synced_at timestamptz(3) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    PRIMARY KEY (organization_id, id),
    CONSTRAINT templates_name UNIQUE (organization_id, name, language)
  )`
  yield* sql`CREATE INDEX templates_newest ON templates (organization_id, created_at DESC, id DESC)`
  yield* isolate("templates")

  // Its row is also the lock under which one sync of an organization runs.
  yield* sql`CREATE TABLE template_syncs (
    organization_id text PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE,
    synced_at timestamptz(3)
  )`
  yield* isolate("template_syncs")

  yield* sql`CREATE TABLE quick_replies (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id text NOT NULL,
    shortcut text NOT NULL,
    text text NOT NULL,
    searchable text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, id),
    CONSTRAINT quick_replies_shortcut UNIQUE (organization_id, shortcut)
  )`
  yield* sql`CREATE INDEX quick_replies_newest ON quick_replies (organization_id, created_at DESC, id DESC)`
  yield* isolate("quick_replies")
})
