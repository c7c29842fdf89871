/** Organizations (the tenants), what their nodes hold alone, and how many records their lists have. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate, openAcross } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Null means: for `concurrent_calls` what the plan allows, for `voice_terms` and `retention` the usual ones, for `sla_policy` no due times.
  yield* sql`CREATE TABLE organizations (
    id text PRIMARY KEY,
    name text NOT NULL,
    plan text NOT NULL CHECK (plan IN ('FREE', 'STARTER', 'PRO', 'PREMIUM', 'ENTERPRISE')),
    flags jsonb NOT NULL,
    time_zone text NOT NULL,
    business_hours jsonb,
    disclosure_text text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    concurrent_calls integer CHECK (concurrent_calls > 0),
    voice_terms jsonb,
    retention jsonb,
    sla_policy jsonb,
    push_preview boolean NOT NULL DEFAULT false
  )`
  yield* isolate("organizations", "id")
  // For jobs that serve every organization.
  yield* openAcross("organizations", "directory")

  // Who may do something alone for an organization, such as changing its telephony account. `holder` is a process.
  yield* sql`CREATE TABLE leases (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    name text NOT NULL,
    holder text NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, name)
  )`
  yield* isolate("leases")

  // How many records a list has, counted by triggers as records come and go: counting a million rows takes longer than reading a page of them.
  // Each connection counts in rows of its own (`shard`: its process id at the server), so that no writer waits for another. The total of a list is
  // the sum of its rows. Rows are updated in place again and again: half of each page is left free for that.
  yield* sql`CREATE TABLE list_counts (
    organization_id text NOT NULL,
    list text NOT NULL,
    shard integer NOT NULL,
    total bigint NOT NULL,
    PRIMARY KEY (organization_id, list, shard)
  ) WITH (fillfactor = 50)`
  yield* isolate("list_counts")
  // The counts of connections that are gone are summed up in shard 0, which no connection writes to.
  for (const command of ["SELECT", "INSERT", "UPDATE", "DELETE"] as const)
    yield* openAcross("list_counts", "compact", command, `compact_${command.toLowerCase()}`)
})
