/** Messages that callers left outside business hours, each with how far it is: fetched from the provider, removed there, transcribed. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
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

  // For the worker, which serves every organization: says where there is work, and nothing of what it is. Reads as the look-ups of 0005 do.
  yield* sql`CREATE POLICY lookup ON voicemails FOR SELECT TO CURRENT_USER
    USING ((SELECT current_setting('app.cross_tenant', true)) = 'lookup')`
  yield* sql`CREATE FUNCTION due_voicemails(at timestamptz, most integer)
    RETURNS TABLE (organization_id text, recording_sid text)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    BEGIN
      PERFORM set_config('app.cross_tenant', 'lookup', true);
      RETURN QUERY SELECT v.organization_id, v.recording_sid FROM voicemails v
        WHERE v.step NOT IN ('done', 'given_up') AND v.due_at <= at ORDER BY v.due_at LIMIT most;
      PERFORM set_config('app.cross_tenant', '', true);
    END $$`
  yield* sql`REVOKE ALL ON FUNCTION due_voicemails(timestamptz, integer) FROM PUBLIC`
})
