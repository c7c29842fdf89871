/**
 * Broadcasts are worked on when there is something to do: one that is only scheduled wakes nobody before its time. And exports
 * that are over are removed, whatever becomes of others.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`DROP INDEX broadcasts_with_work`
  yield* sql`CREATE INDEX broadcasts_running ON broadcasts (organization_id) WHERE status = 'running'`
  yield* sql`CREATE INDEX broadcasts_to_start ON broadcasts (scheduled_at) WHERE status = 'scheduled'`
  yield* sql`CREATE OR REPLACE FUNCTION organizations_to_broadcast() RETURNS SETOF text
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    BEGIN
      PERFORM set_config('app.cross_tenant', 'lookup', true);
      RETURN QUERY SELECT b.organization_id FROM broadcasts b WHERE b.status = 'running'
        UNION SELECT b.organization_id FROM broadcasts b WHERE b.status = 'scheduled' AND b.scheduled_at <= now();
      PERFORM set_config('app.cross_tenant', '', true);
    END $$`

  // Those that are over in no order: one whose file cannot be removed stays, and must not take the place of another for ever.
  yield* sql`CREATE OR REPLACE FUNCTION due_exports(at timestamptz, most integer)
    RETURNS TABLE (organization_id text, id text, expired boolean)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    BEGIN
      PERFORM set_config('app.cross_tenant', 'due', true);
      RETURN QUERY (SELECT e.organization_id, e.id, true FROM contact_exports e WHERE e.expires_at <= at ORDER BY random() LIMIT most)
        UNION ALL (SELECT e.organization_id, e.id, false FROM contact_exports e
          WHERE e.due_at <= at AND e.expires_at > at ORDER BY e.due_at LIMIT most);
      PERFORM set_config('app.cross_tenant', '', true);
    END $$`
})
