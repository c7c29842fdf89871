-- For the workers of all organizations: which notifications have something to do. Ids, and nothing else.
--
-- Functions with SECURITY DEFINER run as the owner of the tables and see rows of all organizations, while they have set
-- `app.cross_tenant` (`isolate.ts`).

CREATE OR REPLACE FUNCTION organizations_to_push(most integer)
  RETURNS SETOF text
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'push', true);
  RETURN QUERY SELECT c.organization_id FROM push_cursors c
    WHERE EXISTS (SELECT 1 FROM events e WHERE e.organization_id = c.organization_id
      AND (e.transaction, e.position) > (c.transaction, c.position)
      AND e.transaction < pg_snapshot_xmin(pg_current_snapshot()))
    AND EXISTS (SELECT 1 FROM devices d WHERE d.organization_id = c.organization_id) LIMIT most;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION organizations_to_push(integer) FROM PUBLIC;

CREATE OR REPLACE FUNCTION due_pushes(at timestamptz, most integer)
  RETURNS TABLE (organization_id text, event_id text, device_id text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'push', true);
  RETURN QUERY SELECT n.organization_id, n.event_id, n.device_id FROM push_notifications n
    WHERE n.due_at <= at ORDER BY n.due_at LIMIT most;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION due_pushes(timestamptz, integer) FROM PUBLIC;

-- Whoever has a token may take it over. It has a hash for each key that encrypts.
DROP FUNCTION IF EXISTS free_device_token(text);
CREATE OR REPLACE FUNCTION free_device_tokens(wanted text[])
  RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'push', true);
  DELETE FROM devices WHERE token_hash = ANY (wanted);
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION free_device_tokens(text[]) FROM PUBLIC;

CREATE OR REPLACE FUNCTION organizations_with_plain_tokens()
  RETURNS SETOF text
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'push', true);
  RETURN QUERY SELECT DISTINCT d.organization_id FROM devices d WHERE d.token IS NOT NULL;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION organizations_with_plain_tokens() FROM PUBLIC;
