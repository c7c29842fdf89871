-- Team chat, for the events of all organizations: ids and places, and nothing of what is there.
--
-- Functions with SECURITY DEFINER run as the owner of the tables and see rows of all organizations, while they have set
-- `app.cross_tenant` (`isolate.ts`).

-- Team chat. A workspace may be connected to several organizations; each place of it (a channel, direct messages) belongs
-- to one. Whoever has the place, with the organization's connection to the workspace.
CREATE OR REPLACE FUNCTION chat_owner(of_provider text, of_team text, of_place text)
  RETURNS TABLE (organization_id text, connection_id text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'directory', true);
  RETURN QUERY SELECT a.organization_id, a.id FROM chat_mappings m
    JOIN app_connections a ON a.organization_id = m.organization_id AND a.provider = of_provider AND a.account_id = of_team AND a.enabled
    WHERE m.team_id = of_team AND m.place = of_place;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION chat_owner(text, text, text) FROM PUBLIC;

-- The connections to a workspace.
CREATE OR REPLACE FUNCTION chat_connections(of_provider text, of_team text)
  RETURNS TABLE (organization_id text, connection_id text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'directory', true);
  RETURN QUERY SELECT a.organization_id, a.id FROM app_connections a
    WHERE a.provider = of_provider AND a.account_id = of_team AND a.enabled;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION chat_connections(text, text) FROM PUBLIC;

-- Of these places of a workspace those that other organizations have: the places, and nothing of whose they are.
CREATE OR REPLACE FUNCTION chat_places_taken(but_by text, of_team text, places text[])
  RETURNS SETOF text
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'directory', true);
  RETURN QUERY SELECT m.place FROM chat_mappings m
    WHERE m.team_id = of_team AND m.place = ANY (places) AND m.organization_id <> but_by;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION chat_places_taken(text, text, text[]) FROM PUBLIC;

-- Organizations whose team chat is told of events, and that have events it was not told of yet. `of_organizations` restricts the search to these.
CREATE OR REPLACE FUNCTION chats_behind(of_organizations text[], most integer)
  RETURNS SETOF text
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'directory', true);
  RETURN QUERY SELECT n.organization_id FROM chat_news n
    WHERE (of_organizations IS NULL OR n.organization_id = ANY (of_organizations))
      AND EXISTS (SELECT 1 FROM chat_mappings m WHERE m.organization_id = n.organization_id AND (m.alerts <> '{}' OR m.target = 'queue'))
      AND EXISTS (SELECT 1 FROM events e WHERE e.organization_id = n.organization_id
        AND (e.transaction, e.position) > (n.transaction, n.position)
        AND e.transaction < pg_snapshot_xmin(pg_current_snapshot()))
    LIMIT most;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION chats_behind(text[], integer) FROM PUBLIC;

-- Organizations with a channel whose daily summary is due.
CREATE OR REPLACE FUNCTION chat_summaries_due(at timestamptz, most integer)
  RETURNS SETOF text
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'directory', true);
  RETURN QUERY SELECT DISTINCT m.organization_id FROM chat_mappings m WHERE m.summary_due <= at LIMIT most;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION chat_summaries_due(timestamptz, integer) FROM PUBLIC;
