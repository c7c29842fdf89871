-- For the workers of all organizations: which connections to integrations have something to do. Ids, and nothing of
-- what these name.
--
-- Functions with SECURITY DEFINER run as the owner of the tables and see rows of all organizations, while they have set
-- `app.cross_tenant` (`isolate.ts`).

-- Organizations with a connection that was not given all settled events yet; of these organizations, or of all (null).
CREATE OR REPLACE FUNCTION apps_behind(of_organizations text[], most integer)
  RETURNS SETOF text
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'directory', true);
  RETURN QUERY SELECT DISTINCT a.organization_id FROM app_connections a
    WHERE a.enabled AND (of_organizations IS NULL OR a.organization_id = ANY (of_organizations))
      AND EXISTS (SELECT 1 FROM events e WHERE e.organization_id = a.organization_id
        AND (e.transaction, e.position) > (a.transaction, a.position)
        AND e.transaction < pg_snapshot_xmin(pg_current_snapshot()))
    LIMIT most;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION apps_behind(text[], integer) FROM PUBLIC;

-- Connections that may be used and have work that is due, those that wait longest first: changes to be told, arrivals to be
-- read, or pages of records to be asked for, of which there is one at a time.
DROP FUNCTION IF EXISTS apps_due(timestamptz, text[], integer);
DROP FUNCTION IF EXISTS app_arrivals_due(timestamptz, text[], integer);
DROP FUNCTION IF EXISTS app_pulls_due(timestamptz, text[], integer);
CREATE OR REPLACE FUNCTION apps_due(what text, at timestamptz, except_connections text[], most integer)
  RETURNS TABLE (organization_id text, connection_id text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'directory', true);
  RETURN QUERY SELECT a.organization_id, a.id FROM app_connections a
    CROSS JOIN LATERAL (SELECT CASE what
      WHEN 'changes' THEN (SELECT t.due_at FROM app_tasks t
        WHERE t.organization_id = a.organization_id AND t.connection_id = a.id AND t.due_at <= at ORDER BY t.due_at LIMIT 1)
      WHEN 'arrivals' THEN (SELECT t.due_at FROM app_arrivals t
        WHERE t.organization_id = a.organization_id AND t.connection_id = a.id AND t.due_at <= at ORDER BY t.due_at LIMIT 1)
      WHEN 'pages' THEN (SELECT CASE WHEN max(p.leased_until) > at THEN NULL ELSE min(p.due_at) END FROM app_pulls p
        WHERE p.organization_id = a.organization_id AND p.connection_id = a.id)
      END AS due_at) first
    WHERE first.due_at <= at AND a.enabled AND a.state <> 'reconnect' AND (a.resume_at IS NULL OR a.resume_at <= at)
      AND NOT (a.id = ANY (except_connections))
    ORDER BY first.due_at LIMIT most;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION apps_due(text, timestamptz, text[], integer) FROM PUBLIC;

-- Connections whose back-fill is running.
CREATE OR REPLACE FUNCTION apps_to_fill(most integer)
  RETURNS TABLE (organization_id text, connection_id text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'directory', true);
  RETURN QUERY SELECT a.organization_id, a.id FROM app_connections a
    WHERE a.enabled AND a.backfill = 'running' AND a.state <> 'reconnect' ORDER BY random() LIMIT most;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION apps_to_fill(integer) FROM PUBLIC;

-- The connection of a provider that has this address for webhooks (SHA-256 of its token, in hexadecimal).
CREATE OR REPLACE FUNCTION app_with_webhook(hash text)
  RETURNS TABLE (organization_id text, connection_id text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'directory', true);
  RETURN QUERY SELECT a.organization_id, a.id FROM app_connections a WHERE a.webhook_hash = hash;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION app_with_webhook(text) FROM PUBLIC;
