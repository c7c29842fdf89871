-- What only the owner may do with data about people.
--
-- Functions with SECURITY DEFINER run as the owner of the tables and see rows of all organizations, while they have set
-- `app.cross_tenant` (`isolate.ts`).

-- The service may not change the audit log. This removes what is old of one kind of entry, of the organization it works
-- for.
CREATE OR REPLACE FUNCTION expire_moderations(before timestamptz, most integer)
  RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE gone integer;
BEGIN
  DELETE FROM audit_log WHERE (organization_id, id) IN (
    SELECT organization_id, id FROM audit_log WHERE organization_id = current_setting('app.organization_id', true)
      AND action IN ('call.moderation', 'call.withheld') AND created_at < LEAST(before, now() - interval '1 day') LIMIT most);
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END
$$;
REVOKE ALL ON FUNCTION expire_moderations(timestamptz, integer) FROM PUBLIC;

-- For a worker, which serves every organization: where there is work, and nothing of what it is.
-- Those that are over come in no order: one whose file cannot be removed stays, and must not take the place of another
-- for ever.
CREATE OR REPLACE FUNCTION due_exports(at timestamptz, most integer)
  RETURNS TABLE (organization_id text, id text, expired boolean)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'due', true);
  RETURN QUERY (SELECT e.organization_id, e.id, true FROM contact_exports e WHERE e.expires_at <= at ORDER BY random() LIMIT most)
    UNION ALL (SELECT e.organization_id, e.id, false FROM contact_exports e
      WHERE e.due_at <= at AND e.expires_at > at ORDER BY e.due_at LIMIT most);
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION due_exports(timestamptz, integer) FROM PUBLIC;
