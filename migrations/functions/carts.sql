-- Carts.

-- For a worker, which serves every organization: whose carts have waited long enough.
CREATE OR REPLACE FUNCTION organizations_with_due_carts(at timestamptz, most integer)
  RETURNS TABLE (organization_id text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'due', true);
  RETURN QUERY SELECT c.organization_id FROM carts c WHERE c.due_at <= at GROUP BY c.organization_id ORDER BY min(c.due_at) LIMIT most;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION organizations_with_due_carts(timestamptz, integer) FROM PUBLIC;

-- For the same worker: whose customers are to be reminded of their carts.
CREATE OR REPLACE FUNCTION organizations_with_carts_to_remind(at timestamptz, most integer)
  RETURNS TABLE (organization_id text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'due', true);
  RETURN QUERY SELECT c.organization_id FROM carts c WHERE c.remind_at <= at GROUP BY c.organization_id ORDER BY min(c.remind_at) LIMIT most;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION organizations_with_carts_to_remind(timestamptz, integer) FROM PUBLIC;
