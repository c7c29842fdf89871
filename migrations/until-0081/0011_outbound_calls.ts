/** Calls we place: the durable queue they wait in, what the provider says of them, and the consent they need. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // A call we place has no `call_sid` before the provider knows of it.
  yield* sql`ALTER TABLE calls
    ALTER COLUMN call_sid DROP NOT NULL,
    ADD COLUMN deal_id text,
    ADD COLUMN failure_reason text,
    ADD COLUMN provider_status text,
    ADD COLUMN provider_sequence integer,
    ADD COLUMN provider_asked_at timestamptz`
  yield* sql`CREATE INDEX calls_unfinished ON calls (organization_id, created_at)
    WHERE status IN ('queued', 'ringing', 'in_progress')`
  // Null: as the plan says.
  yield* sql`ALTER TABLE organizations ADD COLUMN concurrent_calls integer CHECK (concurrent_calls > 0)`

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

  // The ledger takes the place of a field on the contact: evidence is never overwritten.
  yield* sql`ALTER TABLE contacts DROP COLUMN consent, ADD COLUMN tags text[] NOT NULL DEFAULT '{}'`
  // No foreign key to the contact, and the phone only as a hash: the evidence outlives the contact it is about.
  yield* sql`CREATE TABLE consents (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id text NOT NULL,
    contact_id text NOT NULL,
    phone_hash bytea NOT NULL,
    channel text NOT NULL CHECK (channel IN ('voice')),
    action text NOT NULL CHECK (action IN ('granted', 'withdrawn')),
    happened_at timestamptz NOT NULL,
    source text NOT NULL,
    text text NOT NULL,
    recorded_by text NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    ordinal bigint GENERATED ALWAYS AS IDENTITY,
    PRIMARY KEY (organization_id, id)
  )`
  yield* sql`CREATE INDEX consents_of_phone ON consents (organization_id, phone_hash, channel, ordinal DESC)`
  yield* isolate("consents")

  // For the workers, which serve every organization: these functions say where there is work, and nothing of what it is. They read as the
  // look-ups of 0005 do.
  for (const table of ["placements", "calls"])
    yield* sql.unsafe(`CREATE POLICY lookup ON ${table} FOR SELECT TO CURRENT_USER
      USING ((SELECT current_setting('app.cross_tenant', true)) = 'lookup')`)
  yield* sql`CREATE FUNCTION organizations_to_dial() RETURNS SETOF text
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    BEGIN
      PERFORM set_config('app.cross_tenant', 'lookup', true);
      RETURN QUERY SELECT DISTINCT organization_id FROM placements WHERE state <> 'done';
      PERFORM set_config('app.cross_tenant', '', true);
    END $$`
  yield* sql`CREATE FUNCTION unfinished_calls(created_before timestamptz, asked_before timestamptz)
    RETURNS TABLE (organization_id text, id text)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    BEGIN
      PERFORM set_config('app.cross_tenant', 'lookup', true);
      RETURN QUERY SELECT c.organization_id, c.id FROM calls c
        WHERE c.status IN ('queued', 'ringing', 'in_progress') AND c.call_sid IS NOT NULL AND c.created_at < created_before
          AND (c.provider_asked_at IS NULL OR c.provider_asked_at < asked_before)
        ORDER BY c.provider_asked_at NULLS FIRST, c.created_at LIMIT 100;
      PERFORM set_config('app.cross_tenant', '', true);
    END $$`
  yield* sql`REVOKE ALL ON FUNCTION organizations_to_dial(), unfinished_calls(timestamptz, timestamptz) FROM PUBLIC`
})
