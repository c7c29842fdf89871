-- What the messaging channel told (`channel_inbox`), and whom it told it about.
--
-- Functions with SECURITY DEFINER run as the owner of the tables and see rows of all organizations, while they have set
-- `app.cross_tenant` (`isolate.ts`).

-- Whom a webhook may be meant for: it names only the channel's ids.
CREATE OR REPLACE FUNCTION lookup_channel_connections(numbers text[], accounts text[])
  RETURNS SETOF channel_connections
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'lookup', true);
  RETURN QUERY SELECT * FROM channel_connections c
    WHERE c.phone_number_id = ANY (numbers) OR c.business_account_id = ANY (accounts);
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION lookup_channel_connections(text[], text[]) FROM PUBLIC;

CREATE OR REPLACE FUNCTION knows_verify_token(hash text)
  RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE found_one boolean;
BEGIN
  PERFORM set_config('app.cross_tenant', 'lookup', true);
  SELECT EXISTS (SELECT 1 FROM channel_connections c WHERE c.verify_token_hash = hash) INTO found_one;
  PERFORM set_config('app.cross_tenant', '', true);
  RETURN found_one;
END
$$;
REVOKE ALL ON FUNCTION knows_verify_token(text) FROM PUBLIC;

-- Items that are due, by organization: each that waits gets an equal share, in an order that is drawn anew each time,
-- so that nobody waits behind one who is told much. At most `most` in all, and of an organization no more than what
-- `under_way` (its name once for each item) leaves of `per_organization`. Each organization is found by skipping from
-- one to the next in the index. Of an organization the 200 that are due first are looked at; what waits behind another
-- item of its line is none of them, and when that is all there is, the first of each line are looked at.
--
-- SET enable_…: plans are kept per connection, and one that was made while a table was small reads all of it when a
-- million rows wait. So rows are always looked up one by one, by an index.
CREATE OR REPLACE FUNCTION due_letters_in_channel_inbox(at timestamptz, most integer, per_organization integer, under_way text[])
  RETURNS TABLE (organization_id text, id text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
    SET enable_mergejoin = off SET enable_bitmapscan = off SET enable_sort = off AS $$
#variable_conflict use_column
DECLARE whose text; those text[]; share integer; places integer; taken integer; free integer := most;
BEGIN
  PERFORM set_config('app.cross_tenant', 'lookup', true);
  those := ARRAY(
    WITH RECURSIVE first AS (
      (SELECT i.organization_id, i.due_at FROM channel_inbox i WHERE i.state = 'waiting' AND i.kind NOT IN ('media', 'template')
        ORDER BY i.organization_id, i.due_at LIMIT 1)
      UNION ALL
      SELECT n.* FROM first f CROSS JOIN LATERAL (
        SELECT i.organization_id, i.due_at FROM channel_inbox i
        WHERE i.state = 'waiting' AND i.kind NOT IN ('media', 'template') AND i.organization_id > f.organization_id
        ORDER BY i.organization_id, i.due_at LIMIT 1) n
    )
    SELECT f.organization_id FROM first f WHERE f.due_at <= at ORDER BY random());
  share := greatest(1, most / greatest(1, cardinality(those)));
  FOREACH whose IN ARRAY those LOOP
    EXIT WHEN free <= 0;
    places := least(share, free, per_organization - cardinality(array_positions(under_way, whose)));
    CONTINUE WHEN places <= 0;
    RETURN QUERY SELECT w.organization_id, w.id FROM (
        SELECT i.organization_id, i.id, i.line, i.position, i.due_at FROM channel_inbox i
        WHERE i.state = 'waiting' AND i.kind NOT IN ('media', 'template') AND i.organization_id = whose AND i.due_at <= at
        ORDER BY i.due_at, i.position LIMIT 200) w
      WHERE NOT EXISTS (SELECT 1 FROM channel_inbox i
        WHERE i.state = 'waiting' AND i.kind NOT IN ('media', 'template') AND i.organization_id = whose AND i.line = w.line AND i.position < w.position)
      ORDER BY w.due_at, w.position LIMIT places;
    GET DIAGNOSTICS taken = ROW_COUNT;
    IF taken = 0 THEN
      RETURN QUERY WITH RECURSIVE head AS (
        (SELECT i.id, i.line, i.due_at, 1 AS place FROM channel_inbox i
          WHERE i.state = 'waiting' AND i.kind NOT IN ('media', 'template') AND i.organization_id = whose
          ORDER BY i.line, i.position LIMIT 1)
        UNION ALL
        SELECT n.*, h.place + 1 FROM head h CROSS JOIN LATERAL (
          SELECT i.id, i.line, i.due_at FROM channel_inbox i
          WHERE i.state = 'waiting' AND i.kind NOT IN ('media', 'template') AND i.organization_id = whose AND i.line > h.line
          ORDER BY i.line, i.position LIMIT 1) n WHERE h.place < 200
      )
      SELECT whose, h.id FROM head h WHERE h.due_at <= at ORDER BY h.due_at LIMIT places;
      GET DIAGNOSTICS taken = ROW_COUNT;
    END IF;
    free := free - taken;
  END LOOP;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION due_letters_in_channel_inbox(timestamptz, integer, integer, text[]) FROM PUBLIC;

-- The same for files and news about templates, which are worked on beside the others.
CREATE OR REPLACE FUNCTION due_files_in_channel_inbox(at timestamptz, most integer, per_organization integer, under_way text[])
  RETURNS TABLE (organization_id text, id text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
    SET enable_mergejoin = off SET enable_bitmapscan = off SET enable_sort = off AS $$
#variable_conflict use_column
DECLARE whose text; those text[]; share integer; places integer; taken integer; free integer := most;
BEGIN
  PERFORM set_config('app.cross_tenant', 'lookup', true);
  those := ARRAY(
    WITH RECURSIVE first AS (
      (SELECT i.organization_id, i.due_at FROM channel_inbox i WHERE i.state = 'waiting' AND i.kind IN ('media', 'template')
        ORDER BY i.organization_id, i.due_at LIMIT 1)
      UNION ALL
      SELECT n.* FROM first f CROSS JOIN LATERAL (
        SELECT i.organization_id, i.due_at FROM channel_inbox i
        WHERE i.state = 'waiting' AND i.kind IN ('media', 'template') AND i.organization_id > f.organization_id
        ORDER BY i.organization_id, i.due_at LIMIT 1) n
    )
    SELECT f.organization_id FROM first f WHERE f.due_at <= at ORDER BY random());
  share := greatest(1, most / greatest(1, cardinality(those)));
  FOREACH whose IN ARRAY those LOOP
    EXIT WHEN free <= 0;
    places := least(share, free, per_organization - cardinality(array_positions(under_way, whose)));
    CONTINUE WHEN places <= 0;
    RETURN QUERY SELECT w.organization_id, w.id FROM (
        SELECT i.organization_id, i.id, i.line, i.position, i.due_at FROM channel_inbox i
        WHERE i.state = 'waiting' AND i.kind IN ('media', 'template') AND i.organization_id = whose AND i.due_at <= at
        ORDER BY i.due_at, i.position LIMIT 200) w
      WHERE NOT EXISTS (SELECT 1 FROM channel_inbox i
        WHERE i.state = 'waiting' AND i.kind IN ('media', 'template') AND i.organization_id = whose AND i.line = w.line AND i.position < w.position)
      ORDER BY w.due_at, w.position LIMIT places;
    GET DIAGNOSTICS taken = ROW_COUNT;
    IF taken = 0 THEN
      RETURN QUERY WITH RECURSIVE head AS (
        (SELECT i.id, i.line, i.due_at, 1 AS place FROM channel_inbox i
          WHERE i.state = 'waiting' AND i.kind IN ('media', 'template') AND i.organization_id = whose
          ORDER BY i.line, i.position LIMIT 1)
        UNION ALL
        SELECT n.*, h.place + 1 FROM head h CROSS JOIN LATERAL (
          SELECT i.id, i.line, i.due_at FROM channel_inbox i
          WHERE i.state = 'waiting' AND i.kind IN ('media', 'template') AND i.organization_id = whose AND i.line > h.line
          ORDER BY i.line, i.position LIMIT 1) n WHERE h.place < 200
      )
      SELECT whose, h.id FROM head h WHERE h.due_at <= at ORDER BY h.due_at LIMIT places;
      GET DIAGNOSTICS taken = ROW_COUNT;
    END IF;
    free := free - taken;
  END LOOP;
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION due_files_in_channel_inbox(timestamptz, integer, integer, text[]) FROM PUBLIC;

-- The indexes are partial: a count has to say all that they do.
CREATE OR REPLACE FUNCTION count_channel_inbox()
  RETURNS TABLE (waiting bigint, failed bigint)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'lookup', true);
  RETURN QUERY SELECT
    (SELECT count(*) FROM channel_inbox i WHERE i.state = 'waiting' AND i.kind NOT IN ('media', 'template'))
      + (SELECT count(*) FROM channel_inbox i WHERE i.state = 'waiting' AND i.kind IN ('media', 'template')),
    (SELECT count(*) FROM channel_inbox i WHERE i.state = 'failed');
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION count_channel_inbox() FROM PUBLIC;

-- Deletes what was settled long enough ago, of every organization. Gives how many those were.
CREATE OR REPLACE FUNCTION expire_channel_inbox(done_before timestamptz, failed_before timestamptz, most integer)
  RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE gone integer;
BEGIN
  PERFORM set_config('app.cross_tenant', 'expire', true);
  DELETE FROM channel_inbox WHERE ctid = ANY (ARRAY(SELECT ctid FROM channel_inbox
    WHERE (state = 'done' AND settled_at < done_before) OR (state = 'failed' AND settled_at < failed_before) LIMIT most));
  GET DIAGNOSTICS gone = ROW_COUNT;
  PERFORM set_config('app.cross_tenant', '', true);
  RETURN gone;
END
$$;
REVOKE ALL ON FUNCTION expire_channel_inbox(timestamptz, timestamptz, integer) FROM PUBLIC;

-- What one organization has in its inbox: items that wait and that were given up, at most `most` of each sort, and the
-- bytes of their payloads as they are stored.
CREATE OR REPLACE FUNCTION load_of_channel_inbox(wanted_organization text, most integer)
  RETURNS TABLE (items integer, bytes bigint)
  LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  PERFORM enter_organization(wanted_organization);
  RETURN QUERY SELECT count(*)::integer, coalesce(sum(w.size), 0)::bigint FROM (
    (SELECT pg_column_size(i.payload) AS size FROM channel_inbox i
      WHERE i.organization_id = wanted_organization AND i.state = 'waiting' AND i.kind NOT IN ('media', 'template') LIMIT most)
    UNION ALL (SELECT pg_column_size(i.payload) FROM channel_inbox i
      WHERE i.organization_id = wanted_organization AND i.state = 'waiting' AND i.kind IN ('media', 'template') LIMIT most)
    UNION ALL (SELECT pg_column_size(i.payload) FROM channel_inbox i
      WHERE i.organization_id = wanted_organization AND i.state = 'failed' LIMIT most)
  ) w;
END
$$;
