-- Files of messages.
--
-- Functions with SECURITY DEFINER run as the owner of the tables and see rows of all organizations, while they have set
-- `app.cross_tenant` (`isolate.ts`).

-- For the sweep, which serves every organization: where a file was left, and nothing of what it is.
CREATE OR REPLACE FUNCTION unsettled_media(before timestamptz, most integer)
  RETURNS TABLE (organization_id text, media_id text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'lookup', true);
  RETURN QUERY SELECT m.organization_id, m.id FROM media m
    WHERE m.state <> 'stored' AND m.state_since <= before ORDER BY m.state_since LIMIT most;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION unsettled_media(timestamptz, integer) FROM PUBLIC;
