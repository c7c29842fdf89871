-- Carts.

DROP FUNCTION IF EXISTS organizations_with_due_carts(timestamptz, integer);
DROP FUNCTION IF EXISTS organizations_with_carts_to_remind(timestamptz, integer);

-- For a worker, which serves every organization: whose carts have waited long enough (`due_at`), and whose customers are to be reminded of them
-- (`remind_at`).
CREATE OR REPLACE FUNCTION organizations_with_carts(what text, at timestamptz, most integer)
  RETURNS TABLE (organization_id text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF what NOT IN ('due_at', 'remind_at') THEN RAISE EXCEPTION 'Carts have no such time'; END IF;
  PERFORM set_config('app.cross_tenant', 'due', true);
  RETURN QUERY EXECUTE format('SELECT c.organization_id FROM carts c WHERE c.%1$I <= $1 GROUP BY c.organization_id ORDER BY min(c.%1$I) LIMIT $2', what)
    USING at, most;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION organizations_with_carts(text, timestamptz, integer) FROM PUBLIC;
