-- What operators see of all organizations: ids and counts. What the gates of flags leave in force. What the installation's
-- log loses.

-- Whether the gate of a flag lets an organization of this stage use it. An organization has a fixed place from 0 to 99 for
-- each flag, so a gate that is opened further keeps those that it has let through.
CREATE OR REPLACE FUNCTION flag_gate_open(flag_name text, organization text, organization_stage text)
  RETURNS boolean
  LANGUAGE sql STABLE AS $$
SELECT coalesce(
  (SELECT mod(('x' || left(md5(flag_name || ' ' || organization), 7))::bit(28)::integer, 100)
      < CASE organization_stage WHEN 'staging' THEN g.staging ELSE g.production END
    FROM flag_gates g WHERE g.flag = flag_name),
  true)
$$;

-- The flags of an organization that are set and let through by their gates.
CREATE OR REPLACE FUNCTION flags_in_force(flags jsonb, organization text, organization_stage text)
  RETURNS jsonb
  LANGUAGE sql STABLE AS $$
SELECT flags || coalesce(
  (SELECT jsonb_object_agg(g.flag, false) FROM flag_gates g
    WHERE flags ? g.flag AND NOT flag_gate_open(g.flag, organization, organization_stage)),
  '{}')
$$;

-- The ids of the organizations that are looked for, by name, each with the number of all of them. `wanted` is a part of the
-- name, or a whole id.
CREATE OR REPLACE FUNCTION search_organizations(wanted text, wanted_plan text, wanted_stage text, skipped integer, most integer)
  RETURNS TABLE (id text, total integer)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'directory', true);
  RETURN QUERY SELECT o.id, (count(*) OVER ())::integer FROM organizations o
    WHERE (wanted IS NULL OR o.id = wanted OR strpos(lower(o.name), lower(wanted)) > 0)
      AND (wanted_plan IS NULL OR o.plan = wanted_plan) AND (wanted_stage IS NULL OR o.stage = wanted_stage)
    ORDER BY lower(o.name), o.id OFFSET skipped LIMIT most;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION search_organizations(text, text, text, integer, integer) FROM PUBLIC;

-- How many organizations of each stage there are, have a flag, and may use it.
CREATE OR REPLACE FUNCTION count_flag(flag_name text)
  RETURNS TABLE (stage text, organizations integer, having_it integer, in_force integer)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'directory', true);
  RETURN QUERY SELECT o.stage, count(*)::integer,
      (count(*) FILTER (WHERE (o.flags ->> flag_name)::boolean))::integer,
      (count(*) FILTER (WHERE (o.flags ->> flag_name)::boolean AND flag_gate_open(flag_name, o.id, o.stage)))::integer
    FROM organizations o GROUP BY o.stage;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION count_flag(text) FROM PUBLIC;

-- The service may not change the installation's log. This removes what is old: what the service saw by itself, and what
-- operators did. Neither is removed younger than a month and a year, whatever is asked for.
CREATE OR REPLACE FUNCTION expire_installation_events(seen_before timestamptz, done_before timestamptz, most integer)
  RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE gone integer;
BEGIN
  DELETE FROM installation_events WHERE id IN (
    SELECT id FROM installation_events
    WHERE (actor_type = 'system' AND created_at < LEAST(seen_before, now() - interval '30 days'))
      OR (actor_type = 'operator' AND created_at < LEAST(done_before, now() - interval '365 days'))
    ORDER BY created_at LIMIT most);
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END
$$;
REVOKE ALL ON FUNCTION expire_installation_events(timestamptz, timestamptz, integer) FROM PUBLIC;
