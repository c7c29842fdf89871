/**
 * A call that its agent gave away counts as completed while a human talks with it, so nobody asked the provider for its end. Those that still keep a
 * human, or a place in a line, are asked for like the unfinished ones.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE POLICY lookup ON transfers FOR SELECT TO CURRENT_USER
    USING ((SELECT current_setting('app.cross_tenant', true)) = 'lookup')`
  yield* sql`CREATE OR REPLACE FUNCTION unfinished_calls(created_before timestamptz, asked_before timestamptz)
    RETURNS TABLE (organization_id text, id text)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    BEGIN
      PERFORM set_config('app.cross_tenant', 'lookup', true);
      RETURN QUERY SELECT u.organization_id, u.id FROM (
          SELECT c.organization_id, c.id, c.call_sid, c.provider_asked_at, c.created_at FROM calls c
            WHERE c.status IN ('queued', 'ringing', 'in_progress') AND c.created_at < created_before
          UNION
          SELECT c.organization_id, c.id, c.call_sid, c.provider_asked_at, c.created_at
            FROM transfers t JOIN calls c ON c.organization_id = t.organization_id AND c.id = t.call_id
            WHERE t.outcome IN ('dialing', 'queued') AND t.requested_at < created_before
              AND coalesce(c.provider_status, 'queued') IN ('queued', 'ringing', 'in_progress')
        ) u
        WHERE u.call_sid IS NOT NULL AND (u.provider_asked_at IS NULL OR u.provider_asked_at < asked_before)
        ORDER BY u.provider_asked_at NULLS FIRST, u.created_at LIMIT 100;
      PERFORM set_config('app.cross_tenant', '', true);
    END $$`
})
