-- For the workers of all organizations: which webhooks have something to do. Ids and positions, and nothing of what
-- these name.
--
-- Functions with SECURITY DEFINER run as the owner of the tables and see rows of all organizations, while they have set
-- `app.cross_tenant` (`isolate.ts`).

-- The settled events behind a place in the order, at most so many.
CREATE OR REPLACE FUNCTION events_behind(of_transaction xid8, of_position bigint, most integer)
  RETURNS TABLE (organization_id text, transaction text, "position" text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'directory', true);
  RETURN QUERY SELECT e.organization_id, e.transaction::text, e.position::text FROM events e
    WHERE (e.transaction, e.position) > (of_transaction, of_position)
      AND e.transaction < pg_snapshot_xmin(pg_current_snapshot())
    ORDER BY e.transaction, e.position LIMIT most;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION events_behind(xid8, bigint, integer) FROM PUBLIC;

-- Organizations with an endpoint that was not given all settled events yet; of these organizations, or of all (null).
CREATE OR REPLACE FUNCTION webhooks_behind(of_organizations text[], most integer)
  RETURNS SETOF text
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'directory', true);
  RETURN QUERY SELECT DISTINCT w.organization_id FROM webhook_endpoints w
    WHERE w.enabled AND (of_organizations IS NULL OR w.organization_id = ANY (of_organizations))
      AND EXISTS (SELECT 1 FROM events e WHERE e.organization_id = w.organization_id
        AND (e.transaction, e.position) > (w.transaction, w.position)
        AND e.transaction < pg_snapshot_xmin(pg_current_snapshot()))
    LIMIT most;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION webhooks_behind(text[], integer) FROM PUBLIC;

-- Endpoints with a delivery that is due: those that wait longest first.
CREATE OR REPLACE FUNCTION webhooks_due(at timestamptz, except_endpoints text[], most integer)
  RETURNS TABLE (organization_id text, endpoint_id text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'directory', true);
  RETURN QUERY SELECT w.organization_id, w.id FROM webhook_endpoints w
    CROSS JOIN LATERAL (SELECT d.due_at FROM webhook_deliveries d
      WHERE d.organization_id = w.organization_id AND d.endpoint_id = w.id AND d.due_at <= at ORDER BY d.due_at LIMIT 1) first
    WHERE w.enabled AND NOT (w.id = ANY (except_endpoints))
    ORDER BY first.due_at LIMIT most;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION webhooks_due(timestamptz, text[], integer) FROM PUBLIC;
