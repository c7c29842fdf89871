-- For the workers of all organizations: which connections to integrations have something to do. Ids, and nothing of
-- what these name.
--
-- Functions with SECURITY DEFINER run as the owner of the tables and see rows of all organizations, while they have set
-- `app.cross_tenant` (`isolate.ts`).

-- Organizations with a connection that was not given all settled events yet; of these organizations, or of all (null).
CREATE OR REPLACE FUNCTION apps_behind(of_organizations text[], most integer)
  RETURNS SETOF text
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'directory', true);
  RETURN QUERY SELECT DISTINCT a.organization_id FROM app_connections a
    WHERE a.enabled AND (of_organizations IS NULL OR a.organization_id = ANY (of_organizations))
      AND EXISTS (SELECT 1 FROM events e WHERE e.organization_id = a.organization_id
        AND (e.transaction, e.position) > (a.transaction, a.position)
        AND e.transaction < pg_snapshot_xmin(pg_current_snapshot()))
    LIMIT most;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION apps_behind(text[], integer) FROM PUBLIC;

-- Connections that may be used and have work that is due, those that wait longest first: changes to be told, arrivals to be
-- read, posts for a team chat, or pages of records to be asked for, of which there is one at a time.
DROP FUNCTION IF EXISTS apps_due(timestamptz, text[], integer);
DROP FUNCTION IF EXISTS app_arrivals_due(timestamptz, text[], integer);
DROP FUNCTION IF EXISTS app_pulls_due(timestamptz, text[], integer);
CREATE OR REPLACE FUNCTION apps_due(what text, at timestamptz, except_connections text[], most integer)
  RETURNS TABLE (organization_id text, connection_id text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'directory', true);
  RETURN QUERY SELECT a.organization_id, a.id FROM app_connections a
    CROSS JOIN LATERAL (SELECT CASE what
      WHEN 'changes' THEN (SELECT t.due_at FROM app_tasks t
        WHERE t.organization_id = a.organization_id AND t.connection_id = a.id AND t.due_at <= at ORDER BY t.due_at LIMIT 1)
      WHEN 'arrivals' THEN (SELECT t.due_at FROM app_arrivals t
        WHERE t.organization_id = a.organization_id AND t.connection_id = a.id AND t.due_at <= at ORDER BY t.due_at LIMIT 1)
      WHEN 'posts' THEN (SELECT t.due_at FROM chat_posts t WHERE t.organization_id = a.organization_id AND t.team_id = a.account_id
        AND a.provider = 'slack' AND t.due_at <= at ORDER BY t.due_at LIMIT 1)
      WHEN 'pages' THEN (SELECT CASE WHEN max(p.leased_until) > at THEN NULL ELSE min(p.due_at) END FROM app_pulls p
        WHERE p.organization_id = a.organization_id AND p.connection_id = a.id)
      END AS due_at) first
    WHERE first.due_at <= at AND a.enabled AND a.state <> 'reconnect' AND (a.resume_at IS NULL OR a.resume_at <= at)
      AND NOT (a.id = ANY (except_connections))
    ORDER BY first.due_at LIMIT most;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION apps_due(text, timestamptz, text[], integer) FROM PUBLIC;

-- Connections whose back-fill is running.
CREATE OR REPLACE FUNCTION apps_to_fill(most integer)
  RETURNS TABLE (organization_id text, connection_id text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'directory', true);
  RETURN QUERY SELECT a.organization_id, a.id FROM app_connections a
    WHERE a.enabled AND a.backfill = 'running' AND a.state <> 'reconnect' ORDER BY random() LIMIT most;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION apps_to_fill(integer) FROM PUBLIC;

-- The connection that has this address for webhooks (SHA-256 of its token, in hexadecimal), which state of its row is the newest, and the plan of
-- its organization.
DROP FUNCTION IF EXISTS app_with_webhook(text);
CREATE FUNCTION app_with_webhook(hash text)
  RETURNS TABLE (organization_id text, connection_id text, version text, plan text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'directory', true);
  RETURN QUERY SELECT a.organization_id, a.id, a.xmin::text, o.plan FROM app_connections a
    JOIN organizations o ON o.id = a.organization_id WHERE a.webhook_hash = hash;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION app_with_webhook(text) FROM PUBLIC;

-- The functions that take `wanted_organization` run as whoever calls them, as that organization, so row-level security
-- holds in them as everywhere. Each does in one statement what were ten: telling a change is mostly round trips.

-- Gives the connections of an organization the next events: tasks are made of them, and the places move on. `told`: the
-- providers that are told anything, by the plan of the organization; others pass the events. `triggers`: what is told
-- after an event of a type. True: there may be more events.
CREATE OR REPLACE FUNCTION fan_out_to_apps(wanted_organization text, told jsonb, triggers jsonb, most integer, at timestamptz, seed text)
  RETURNS boolean
  LANGUAGE plpgsql AS $$
DECLARE place record; providers jsonb; was_full boolean; more boolean := false;
BEGIN
  PERFORM enter_organization(wanted_organization);
  PERFORM set_config('synchronous_commit', 'off', true);
  SELECT told -> o.plan INTO providers FROM organizations o WHERE o.id = wanted_organization;
  FOR place IN SELECT a.id, a.provider, a.transaction, a.position FROM app_connections a
    WHERE a.organization_id = wanted_organization AND a.enabled ORDER BY a.id FOR NO KEY UPDATE
  LOOP
    WITH found AS MATERIALIZED (
        SELECT e.type, CASE WHEN NOT e.withdrawn THEN e.contact_id END AS contact_id,
          coalesce(e.data -> 'conversation' ->> 'id', e.data -> 'call' ->> 'conversationId', e.contact_id) AS subject_id, e.transaction, e.position
        FROM events e WHERE e.organization_id = wanted_organization AND (e.transaction, e.position) > (place.transaction, place.position)
          AND e.transaction < pg_snapshot_xmin(pg_current_snapshot())
        ORDER BY e.transaction, e.position LIMIT most),
      made AS (
        INSERT INTO app_tasks (organization_id, id, connection_id, trigger, contact_id, subject_id, live, status, due_at, created_at)
        SELECT wanted_organization, left(seed, 14) || upper(left(md5(seed || place.id || f.position), 16)), place.id, triggers ->> f.type,
          f.contact_id, f.subject_id, true, 'pending', at, at
        FROM found f WHERE providers ? place.provider AND triggers ? f.type AND f.contact_id IS NOT NULL
        ORDER BY f.transaction, f.position
        ON CONFLICT (organization_id, connection_id, trigger, subject_id) WHERE status = 'pending' AND claims = 0 DO NOTHING),
      last AS (SELECT f.transaction, f.position, (SELECT count(*) FROM found) AS read FROM found f
        ORDER BY f.transaction DESC, f.position DESC LIMIT 1)
    UPDATE app_connections a SET transaction = l.transaction, position = l.position FROM last l
      WHERE a.organization_id = wanted_organization AND a.id = place.id RETURNING l.read = most INTO was_full;
    more := more OR coalesce(was_full, false);
  END LOOP;
  RETURN more;
END
$$;

-- Claims tasks of a connection that are due, those of a contact in their order, and gives all that is needed to tell them: the
-- connection in the first row, and with each task its contact as it is now and the links that are known. `at_once`: the most
-- of a provider. The connection is locked first: so a change that comes in between is a task of its own, or is in what is read here.
CREATE OR REPLACE FUNCTION claim_app_tasks(wanted_organization text, wanted text, room integer, busy integer, at_once jsonb, at timestamptz, until timestamptz)
  RETURNS TABLE (connection app_connections, task app_tasks, contact contacts, identities json, links json)
  LANGUAGE plpgsql AS $$
DECLARE usable app_connections; most integer; taken text[];
BEGIN
  PERFORM enter_organization(wanted_organization);
  SELECT * INTO usable FROM app_connections a WHERE a.organization_id = wanted_organization AND a.id = wanted AND a.enabled
    AND a.state <> 'reconnect' AND (a.resume_at IS NULL OR a.resume_at <= at) FOR NO KEY UPDATE;
  IF NOT FOUND OR NOT at_once ? usable.provider THEN RETURN; END IF;
  -- Refused credentials are tried with one change.
  most := least(room, (at_once ->> usable.provider)::integer - busy, CASE usable.state WHEN 'failing' THEN 1 END);
  IF most <= 0 THEN RETURN; END IF;
  WITH due AS (SELECT t.id FROM app_tasks t
      WHERE t.organization_id = wanted_organization AND t.connection_id = wanted AND t.due_at <= at
        AND NOT EXISTS (SELECT 1 FROM app_tasks e WHERE e.organization_id = t.organization_id
          AND e.connection_id = t.connection_id AND e.contact_id = t.contact_id AND e.due_at IS NOT NULL AND e.position < t.position)
      ORDER BY t.live DESC, t.position LIMIT most FOR NO KEY UPDATE SKIP LOCKED),
    claimed AS (UPDATE app_tasks t SET claims = t.claims + 1, due_at = until FROM due
      WHERE t.organization_id = wanted_organization AND t.id = due.id AND t.due_at <= at RETURNING t.id)
    SELECT array_agg(id) INTO taken FROM claimed;
  RETURN QUERY SELECT CASE WHEN row_number() OVER (ORDER BY t.position) = 1 THEN usable END, t, c,
      (SELECT coalesce(json_agg(json_build_object('channel', i.channel, 'userId', i.user_id) ORDER BY i.channel, i.user_id), '[]')
        FROM contact_identities i WHERE i.organization_id = wanted_organization AND i.contact_id = t.contact_id),
      (SELECT coalesce(json_agg(json_build_object('kind', l.kind, 'localId', l.local_id, 'remoteId', l.remote_id, 'hash', l.hash,
          'fields', l.fields)), '[]')
        FROM app_links l WHERE l.organization_id = wanted_organization AND l.connection_id = wanted AND l.local_id IN (t.contact_id, t.subject_id))
    FROM app_tasks t LEFT JOIN contacts c ON c.organization_id = wanted_organization AND c.id = t.contact_id
    WHERE t.organization_id = wanted_organization AND t.id = ANY (taken) ORDER BY t.position;
END
$$;

-- Stores what became of a task, the links that are new and what was said. False, and nothing is stored: it is news of the
-- connection, which an event tells. Nothing is changed when another process has claimed the task meanwhile.
CREATE OR REPLACE FUNCTION settle_app_task(wanted_organization text, wanted text, told_task text, claim integer, outcome jsonb, said jsonb, at timestamptz)
  RETURNS boolean
  LANGUAGE plpgsql AS $$
DECLARE known record; its_contact text; resume timestamptz := (outcome ->> 'resumeAt')::timestamptz;
BEGIN
  PERFORM enter_organization(wanted_organization);
  -- The disk is not waited for. A task whose outcome is forgotten has its claim, so it is sent again as one that may have arrived.
  PERFORM set_config('synchronous_commit', 'off', true);
  SELECT a.state, a.resume_at, a.last_synced_at INTO known FROM app_connections a
    WHERE a.organization_id = wanted_organization AND a.id = wanted FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN true; END IF;
  IF outcome ->> 'status' = 'done' AND known.state <> 'connected' THEN RETURN false; END IF;
  PERFORM note_app_exchanges(wanted_organization, wanted, told_task, said);
  UPDATE app_tasks t SET status = outcome ->> 'status', due_at = (outcome ->> 'dueAt')::timestamptz, error = outcome ->> 'error',
      failures = failures + (outcome ->> 'failed')::integer, settled_at = CASE outcome ->> 'status' WHEN 'pending' THEN NULL ELSE at END
    WHERE t.organization_id = wanted_organization AND t.id = told_task AND t.claims = claim AND t.status = 'pending'
    RETURNING t.contact_id INTO its_contact;
  IF NOT FOUND THEN RETURN true; END IF;
  INSERT INTO app_links (organization_id, connection_id, kind, local_id, contact_id, remote_id, hash, fields, updated_at)
    SELECT wanted_organization, wanted, l.kind, l."localId", c.id, l."remoteId", l.hash, l.fields, at
    FROM jsonb_to_recordset(outcome -> 'links') AS l (kind text, "localId" text, "remoteId" text, hash text, fields jsonb)
    JOIN contacts c ON c.organization_id = wanted_organization AND c.id = its_contact
    ON CONFLICT (organization_id, connection_id, kind, local_id) DO UPDATE SET remote_id = excluded.remote_id,
      hash = excluded.hash, fields = coalesce(excluded.fields, app_links.fields), updated_at = excluded.updated_at;
  -- A wait that another change was asked for stays. The time of the last success is exact to a second: each change of the row is a version of it.
  IF outcome ->> 'status' = 'done' THEN
    IF known.last_synced_at IS NULL OR known.last_synced_at < at - interval '1 second' OR known.resume_at <= at OR resume IS NOT NULL THEN
      UPDATE app_connections a SET last_synced_at = at, resume_at = greatest(CASE WHEN a.resume_at > at THEN a.resume_at END, resume)
        WHERE a.organization_id = wanted_organization AND a.id = wanted;
    END IF;
  ELSIF outcome ->> 'status' = 'pending' AND resume IS NOT NULL THEN
    UPDATE app_connections a SET resume_at = greatest(a.resume_at, resume) WHERE a.organization_id = wanted_organization AND a.id = wanted;
  END IF;
  RETURN true;
END
$$;

-- Writes the log of a connection. Nothing is written about a contact that was erased meanwhile, and nothing twice.
CREATE OR REPLACE FUNCTION note_app_exchanges(wanted_organization text, wanted text, of_task text, said jsonb)
  RETURNS void
  LANGUAGE sql AS $$
INSERT INTO app_log (organization_id, id, connection_id, task_id, contact_id, method, url, request, status, response, error, duration_ms, created_at)
  SELECT wanted_organization, e.id, wanted, of_task, e."contactId", e.method, e.url, e.request, e.status, e.response, e.error, e."durationMs", e.at
  FROM jsonb_to_recordset(said) AS e (id text, "contactId" text, method text, url text, request text, status integer, response text,
    error text, "durationMs" integer, at timestamptz)
  WHERE e."contactId" IS NULL OR EXISTS (SELECT 1 FROM contacts c WHERE c.organization_id = wanted_organization AND c.id = e."contactId")
  ON CONFLICT (organization_id, id) DO NOTHING
$$;

-- Stores what webhooks have told, each event once. `places`: which request an arrival belongs to; a request is stored as a whole, or not at all when
-- too much of its connection waits already (`added` is null then). Of a connection that is gone nothing is stored. It works as `queue_messages` does.
CREATE OR REPLACE FUNCTION store_arrivals(wanted_organization text, places integer[], connections text[], ids text[], onces text[], topics text[],
    lanes text[], payloads text[], times text[], stored_at timestamptz, most_waiting integer, most_bytes bigint)
  RETURNS TABLE (place integer, added integer)
  LANGUAGE plpgsql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off AS $$
#variable_conflict use_column
DECLARE asked record; counted text := ''; waiting bigint; bytes bigint; made integer;
BEGIN
  PERFORM enter_organization(wanted_organization);
  FOR asked IN SELECT a.place, min(a.connection) AS connection, count(*) AS size FROM unnest(places, connections) AS a (place, connection)
      GROUP BY 1 ORDER BY 2, 1 LOOP
    IF counted <> asked.connection THEN
      counted := asked.connection;
      waiting := NULL;
      bytes := NULL;
      PERFORM 1 FROM app_connections c WHERE c.organization_id = wanted_organization AND c.id = asked.connection FOR KEY SHARE;
      IF FOUND THEN
        SELECT count(*), coalesce(sum(w.size), 0) INTO waiting, bytes FROM (SELECT pg_column_size(t.payload) AS size FROM app_arrivals t
          WHERE t.organization_id = wanted_organization AND t.connection_id = asked.connection AND t.due_at IS NOT NULL LIMIT most_waiting) w;
      END IF;
    END IF;
    made := 0;
    IF waiting + asked.size > most_waiting OR bytes > most_bytes THEN
      made := NULL;
    ELSIF waiting IS NOT NULL THEN
      WITH stored AS (
        INSERT INTO app_arrivals (organization_id, id, connection_id, once, topic, lane, payload, happened_at, status, due_at, created_at)
          SELECT wanted_organization, n.id, asked.connection, n.once, n.topic, n.lane, n.payload, NULLIF(n.happened_at, '')::timestamptz, 'pending',
            stored_at, stored_at
          FROM unnest(places, ids, onces, topics, lanes, payloads, times)
            WITH ORDINALITY AS n (place, id, once, topic, lane, payload, happened_at, ordinal)
          WHERE n.place = asked.place ORDER BY n.ordinal
          ON CONFLICT ON CONSTRAINT app_arrivals_once DO NOTHING RETURNING pg_column_size(payload) AS size
      ) SELECT count(*), bytes + coalesce(sum(s.size), 0) INTO made, bytes FROM stored s;
      waiting := waiting + made;
    END IF;
    RETURN QUERY SELECT asked.place, made;
  END LOOP;
END
$$;

-- Stores what webhooks of several organizations have told in one transaction, as each organization in turn (`store_arrivals`). Within a transaction of an
-- organization it takes only what is for that one. One organization's locks are not waited for long while others wait: it fails, and each is stored alone.
CREATE OR REPLACE FUNCTION store_arrivals_together(organizations text[], places integer[], connections text[], ids text[], onces text[], topics text[],
    lanes text[], payloads text[], times text[], stored_at timestamptz, most_waiting integer, most_bytes bigint)
  RETURNS TABLE (place integer, added integer)
  LANGUAGE plpgsql AS $$
DECLARE entered text := coalesce(current_setting('app.organization_id', true), ''); one record;
BEGIN
  IF organizations <> array_fill(organizations[1], ARRAY[cardinality(organizations)]) THEN PERFORM set_config('lock_timeout', '500ms', true); END IF;
  FOR one IN SELECT a.organization, array_agg(a.place ORDER BY a.ordinal) AS places, array_agg(a.connection ORDER BY a.ordinal) AS connections,
      array_agg(a.id ORDER BY a.ordinal) AS ids, array_agg(a.once ORDER BY a.ordinal) AS onces, array_agg(a.topic ORDER BY a.ordinal) AS topics,
      array_agg(a.lane ORDER BY a.ordinal) AS lanes, array_agg(a.payload ORDER BY a.ordinal) AS payloads,
      array_agg(a.happened_at ORDER BY a.ordinal) AS times
    FROM unnest(organizations, places, connections, ids, onces, topics, lanes, payloads, times)
      WITH ORDINALITY AS a (organization, place, connection, id, once, topic, lane, payload, happened_at, ordinal)
    GROUP BY 1 ORDER BY 1
  LOOP
    PERFORM set_config('app.organization_id', entered, true);
    RETURN QUERY SELECT s.place, s.added FROM store_arrivals(one.organization, one.places, one.connections, one.ids, one.onces, one.topics, one.lanes,
      one.payloads, one.times, stored_at, most_waiting, most_bytes) s;
  END LOOP;
  PERFORM set_config('app.organization_id', entered, true);
END
$$;

-- Claims arrivals of a connection that are due, those of a lane in their order. The connection is in the first row.
CREATE OR REPLACE FUNCTION claim_arrivals(wanted_organization text, wanted text, room integer, at timestamptz, until timestamptz)
  RETURNS TABLE (connection app_connections, arrival app_arrivals)
  LANGUAGE plpgsql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off AS $$
DECLARE usable app_connections; most integer;
BEGIN
  PERFORM enter_organization(wanted_organization);
  -- The disk is not waited for: an arrival whose claim is forgotten is claimed and read again.
  PERFORM set_config('synchronous_commit', 'off', true);
  SELECT * INTO usable FROM app_connections a WHERE a.organization_id = wanted_organization AND a.id = wanted AND a.enabled
    AND a.state <> 'reconnect' AND (a.resume_at IS NULL OR a.resume_at <= at);
  IF NOT FOUND THEN RETURN; END IF;
  -- Refused credentials are tried with one arrival.
  most := least(room, CASE usable.state WHEN 'failing' THEN 1 END);
  RETURN QUERY WITH due AS (SELECT t.id FROM app_arrivals t
      WHERE t.organization_id = wanted_organization AND t.connection_id = wanted AND t.due_at <= at
        AND NOT EXISTS (SELECT 1 FROM app_arrivals e WHERE e.organization_id = t.organization_id
          AND e.connection_id = t.connection_id AND e.lane = t.lane AND e.due_at IS NOT NULL AND e.position < t.position)
      ORDER BY t.due_at, t.position LIMIT most FOR NO KEY UPDATE SKIP LOCKED),
    claimed AS (UPDATE app_arrivals t SET claims = t.claims + 1, due_at = until FROM due
      WHERE t.organization_id = wanted_organization AND t.id = due.id AND t.due_at <= at RETURNING t AS arrival)
    SELECT CASE WHEN row_number() OVER (ORDER BY (c.arrival).position) = 1 THEN usable END, c.arrival FROM claimed c
    ORDER BY (c.arrival).position;
END
$$;

-- Stores what became of an arrival, and what was said. False, and nothing is changed: another process has claimed it meanwhile. Of what was given up only
-- the newest are kept.
CREATE OR REPLACE FUNCTION settle_arrival(wanted_organization text, wanted text, read_arrival text, claim integer, outcome jsonb, said jsonb, at timestamptz,
    kept integer)
  RETURNS boolean
  LANGUAGE plpgsql AS $$
DECLARE became text := outcome ->> 'status';
BEGIN
  PERFORM enter_organization(wanted_organization);
  -- The disk is not waited for: an arrival whose outcome is forgotten is read again, which changes nothing.
  PERFORM set_config('synchronous_commit', 'off', true);
  IF jsonb_array_length(said) > 0 THEN PERFORM note_app_exchanges(wanted_organization, wanted, read_arrival, said); END IF;
  UPDATE app_arrivals t SET status = became, due_at = (outcome ->> 'dueAt')::timestamptz, error = outcome ->> 'error',
      failures = t.failures + (outcome ->> 'failed')::integer, settled_at = CASE became WHEN 'pending' THEN NULL ELSE at END,
      payload = CASE became WHEN 'done' THEN NULL ELSE t.payload END
    WHERE t.organization_id = wanted_organization AND t.id = read_arrival AND t.claims = claim AND t.status = 'pending';
  IF NOT FOUND THEN RETURN false; END IF;
  IF became = 'dead' THEN
    DELETE FROM app_arrivals t WHERE t.organization_id = wanted_organization AND t.id IN (SELECT d.id FROM app_arrivals d
      WHERE d.organization_id = wanted_organization AND d.connection_id = wanted AND d.status = 'dead'
      ORDER BY d.position DESC OFFSET kept);
  END IF;
  RETURN true;
END
$$;
