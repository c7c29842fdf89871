/** What is kept for how long: an organization's own periods, indexes by age, who ran when, and the two things only the owner may do. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE organizations ADD COLUMN retention jsonb`
  yield* sql`CREATE INDEX utterances_by_age ON utterances (organization_id, created_at)`
  yield* sql`CREATE INDEX tool_calls_by_age ON tool_calls (organization_id, created_at, call_id, id)`
  yield* sql`CREATE INDEX calls_with_recordings ON calls (organization_id, created_at, id) WHERE recordings <> '[]'`
  yield* sql`CREATE INDEX audit_log_by_age ON audit_log (organization_id, action, created_at)`

  yield* sql`CREATE TABLE retention_runs (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    day date NOT NULL,
    transcripts integer NOT NULL,
    utterances integer NOT NULL,
    recordings integer NOT NULL,
    recordings_failed integer NOT NULL,
    tool_calls integer NOT NULL,
    moderations integer NOT NULL,
    finished_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, day)
  )`
  yield* isolate("retention_runs")

  // The service may not change the audit log. This takes away what is old of one kind of entry, of the organization it works for.
  yield* sql`CREATE FUNCTION expire_moderations(before timestamptz, most integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    DECLARE gone integer;
    BEGIN
      DELETE FROM audit_log WHERE (organization_id, id) IN (
        SELECT organization_id, id FROM audit_log WHERE organization_id = current_setting('app.organization_id', true)
          AND action = 'call.moderation' AND created_at < LEAST(before, now() - interval '1 day') LIMIT most);
      GET DIAGNOSTICS gone = ROW_COUNT;
      RETURN gone;
    END $$`
  yield* sql`REVOKE ALL ON FUNCTION expire_moderations(timestamptz, integer) FROM PUBLIC`

  // For jobs that serve every organization: gives ids, and nothing of what they belong to. Reads as the look-ups of 0005 do.
  yield* sql`CREATE POLICY directory ON organizations FOR SELECT TO CURRENT_USER
    USING ((SELECT current_setting('app.cross_tenant', true)) = 'directory')`
  yield* sql`CREATE FUNCTION organization_ids(after text, most integer) RETURNS SETOF text
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    BEGIN
      PERFORM set_config('app.cross_tenant', 'directory', true);
      RETURN QUERY SELECT o.id FROM organizations o WHERE o.id > after ORDER BY o.id LIMIT most;
      PERFORM set_config('app.cross_tenant', '', true);
    END $$`
  yield* sql`REVOKE ALL ON FUNCTION organization_ids(text, integer) FROM PUBLIC`
})
