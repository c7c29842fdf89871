-- Working as an organization, and what jobs for all organizations need.

-- Works as this organization until the transaction ends. In a transaction that began for an organization it has to be
-- the same one. Outside of a transaction the setting ends with the statement.
CREATE OR REPLACE FUNCTION enter_organization(wanted text)
  RETURNS void
  LANGUAGE plpgsql AS $$
BEGIN
  IF coalesce(current_setting('app.organization_id', true), '') NOT IN ('', wanted) THEN
    RAISE EXCEPTION 'A transaction of one organization may not touch another''s rows';
  END IF;
  PERFORM set_config('app.organization_id', wanted, true);
END
$$;

-- Times in events are written as the REST interface writes them.
CREATE OR REPLACE FUNCTION iso_time(at timestamptz)
  RETURNS text
  LANGUAGE sql STABLE AS $$
SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- For jobs that serve every organization: ids, and nothing of what they belong to.
CREATE OR REPLACE FUNCTION organization_ids(after text, most integer)
  RETURNS SETOF text
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'directory', true);
  RETURN QUERY SELECT o.id FROM organizations o WHERE o.id > after ORDER BY o.id LIMIT most;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION organization_ids(text, integer) FROM PUBLIC;
