/** What waits, over all organizations, for the metrics of operators: numbers, and nothing of whose they are. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // The oldest message of a conversation is its head.
  yield* sql`CREATE INDEX outbox_oldest ON outbox (queued_at) WHERE head`

  // Counts go as far as `most`, and each is of an index that holds only what waits: asking stays cheap however much there is. The oldest event is
  // that of the oldest transaction under way, which every reader of the log stops before.
  yield* sql`CREATE FUNCTION messaging_backlog(most integer)
    RETURNS TABLE (outbox bigint, outbox_oldest timestamptz, webhooks bigint, pushes bigint, broadcasts_running bigint,
      broadcasts_scheduled bigint, event_held_back timestamptz)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    BEGIN
      PERFORM set_config('app.cross_tenant', 'push', true);
      pushes := (SELECT count(*) FROM (SELECT 1 FROM push_notifications ORDER BY due_at LIMIT most) waiting);
      PERFORM set_config('app.cross_tenant', 'directory', true);
      webhooks := (SELECT count(*) FROM (SELECT 1 FROM webhook_deliveries d WHERE d.due_at IS NOT NULL
        ORDER BY d.organization_id, d.endpoint_id, d.due_at LIMIT most) waiting);
      event_held_back := (SELECT e.created_at FROM events e WHERE e.transaction >= pg_snapshot_xmin(pg_current_snapshot())
        ORDER BY e.transaction, e.position LIMIT 1);
      PERFORM set_config('app.cross_tenant', 'lookup', true);
      outbox := (SELECT count(*) FROM (SELECT 1 FROM outbox ORDER BY outbox.organization_id, outbox.message_id LIMIT most) waiting);
      outbox_oldest := (SELECT o.queued_at FROM outbox o WHERE o.head ORDER BY o.queued_at LIMIT 1);
      broadcasts_running := (SELECT count(*) FROM broadcasts b WHERE b.status = 'running');
      broadcasts_scheduled := (SELECT count(*) FROM broadcasts b WHERE b.status = 'scheduled');
      PERFORM set_config('app.cross_tenant', '', true);
      RETURN NEXT;
    END $$`
  yield* sql`REVOKE ALL ON FUNCTION messaging_backlog(integer) FROM PUBLIC`
})
