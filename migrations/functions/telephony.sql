-- Who answers a called number, and whose account a webhook names.
--
-- Functions with SECURITY DEFINER run as the owner of the tables and see rows of all organizations, while they have set
-- `app.cross_tenant` (`isolate.ts`).

-- A telephony connection by the account at the provider.
CREATE OR REPLACE FUNCTION lookup_telephony_connection(wanted text)
  RETURNS SETOF telephony_connections
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'lookup', true);
  RETURN QUERY SELECT * FROM telephony_connections WHERE account_sid = wanted;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION lookup_telephony_connection(text) FROM PUBLIC;

-- Who answers a called number, by id, each with a text that is another one after each change of the row. An agent
-- without the row of the number is none of this number.
CREATE OR REPLACE FUNCTION find_called(wanted_organization text, wanted_phone text)
  RETURNS TABLE (organization_version text, agent_id text, agent_version text)
  LANGUAGE plpgsql AS $$
BEGIN
  PERFORM enter_organization(wanted_organization);
  RETURN QUERY SELECT o.xmin::text || ' ' || o.updated_at::text
      || coalesce((SELECT string_agg(' ' || g.staging || '/' || g.production, '' ORDER BY g.flag) FROM flag_gates g), ''), a.id, a.xmin::text || ' ' || n.xmin::text || ' ' || a.updated_at::text
    FROM organizations o
    LEFT JOIN phone_numbers n ON n.organization_id = o.id AND n.phone = wanted_phone
    LEFT JOIN voice_agents a ON a.organization_id = n.organization_id AND a.id = n.agent_id
    WHERE o.id = wanted_organization;
END
$$;
