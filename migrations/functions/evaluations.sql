-- For a worker, which serves every organization: where there is work, and nothing of what it is.
CREATE OR REPLACE FUNCTION due_evaluation_runs(at timestamptz, most integer)
  RETURNS TABLE (organization_id text, id text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'due', true);
  RETURN QUERY SELECT r.organization_id, r.id FROM evaluation_runs r WHERE r.due_at <= at ORDER BY r.due_at LIMIT most;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION due_evaluation_runs(timestamptz, integer) FROM PUBLIC;
