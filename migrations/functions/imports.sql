-- Imports.

-- For a worker, which serves every organization: where there is work, and nothing of what it is. Of each organization
-- the oldest import that is not worked off, and of those first what has waited longest: an organization with many rows
-- does not keep others waiting. Those that are over come in no order: one that cannot be removed must not take the
-- place of another for ever.
CREATE OR REPLACE FUNCTION due_imports(at timestamptz, most integer)
  RETURNS TABLE (organization_id text, id text, expired boolean)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'due', true);
  RETURN QUERY (SELECT i.organization_id, i.id, true FROM imports i WHERE i.expires_at <= at ORDER BY random() LIMIT most)
    UNION ALL (SELECT d.organization_id, d.id, false FROM (
        SELECT DISTINCT ON (i.organization_id) i.organization_id, i.id, i.due_at FROM imports i
          WHERE i.status = 'running' ORDER BY i.organization_id, i.created_at, i.id) d
      WHERE d.due_at <= at ORDER BY d.due_at LIMIT most);
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION due_imports(timestamptz, integer) FROM PUBLIC;
