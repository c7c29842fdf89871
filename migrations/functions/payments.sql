-- For the worker of all organizations: which organizations have payments to ask about. And whose a public page is.
--
-- Functions with SECURITY DEFINER run as the owner of the tables and see rows of all organizations, while they have set
-- `app.cross_tenant` (`isolate.ts`).

-- Organizations with a link that is due, those that wait longest first.
CREATE OR REPLACE FUNCTION payments_due(at timestamptz, except_organizations text[], most integer)
  RETURNS SETOF text
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'directory', true);
  RETURN QUERY SELECT p.organization_id FROM payment_links p
    WHERE p.ask_at <= at AND NOT (p.organization_id = ANY (except_organizations))
    GROUP BY p.organization_id ORDER BY min(p.ask_at) LIMIT most;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION payments_due(timestamptz, text[], integer) FROM PUBLIC;

-- The organization of the link with this id, which nobody can guess.
CREATE OR REPLACE FUNCTION organization_of_payment(of_link text)
  RETURNS SETOF text
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'directory', true);
  RETURN QUERY SELECT p.organization_id FROM payment_links p WHERE p.id = of_link;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION organization_of_payment(text) FROM PUBLIC;
