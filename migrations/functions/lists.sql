-- How many records each list has (`list_counts`), counted once per statement, however many rows it has.

CREATE OR REPLACE FUNCTION count_contacts()
  RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO list_counts AS known (organization_id, list, shard, total)
      SELECT r.organization_id, CASE WHEN r.archived_at IS NULL THEN 'contacts' ELSE 'contacts.archived' END,
        pg_backend_pid(), count(*) FROM added r GROUP BY 1, 2
      ON CONFLICT (organization_id, list, shard) DO UPDATE SET total = known.total + excluded.total;
  ELSE
    INSERT INTO list_counts AS known (organization_id, list, shard, total)
      SELECT r.organization_id, CASE WHEN r.archived_at IS NULL THEN 'contacts' ELSE 'contacts.archived' END,
        pg_backend_pid(), -count(*) FROM removed r GROUP BY 1, 2
      ON CONFLICT (organization_id, list, shard) DO UPDATE SET total = known.total + excluded.total;
  END IF;
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER contacts_come AFTER INSERT ON contacts REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_contacts();
CREATE OR REPLACE TRIGGER contacts_go AFTER DELETE ON contacts REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_contacts();

-- Archiving moves a contact from one list to another.
CREATE OR REPLACE FUNCTION move_contacts()
  RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  IF (CASE WHEN OLD.archived_at IS NULL THEN 'contacts' ELSE 'contacts.archived' END)
      <> (CASE WHEN NEW.archived_at IS NULL THEN 'contacts' ELSE 'contacts.archived' END) THEN
    INSERT INTO list_counts AS known (organization_id, list, shard, total)
      VALUES (OLD.organization_id, (CASE WHEN OLD.archived_at IS NULL THEN 'contacts' ELSE 'contacts.archived' END), pg_backend_pid(), -1),
        (NEW.organization_id, (CASE WHEN NEW.archived_at IS NULL THEN 'contacts' ELSE 'contacts.archived' END), pg_backend_pid(), 1)
      ON CONFLICT (organization_id, list, shard) DO UPDATE SET total = known.total + excluded.total;
  END IF;
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER contacts_move AFTER UPDATE OF archived_at ON contacts
  FOR EACH ROW WHEN (OLD.archived_at IS DISTINCT FROM NEW.archived_at) EXECUTE FUNCTION move_contacts();

CREATE OR REPLACE FUNCTION count_contact_tags()
  RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO list_counts AS known (organization_id, list, shard, total)
      SELECT r.organization_id, 'tag.' || r.archived::text || '.' || r.tag,
        pg_backend_pid(), count(*) FROM added r GROUP BY 1, 2
      ON CONFLICT (organization_id, list, shard) DO UPDATE SET total = known.total + excluded.total;
  ELSE
    INSERT INTO list_counts AS known (organization_id, list, shard, total)
      SELECT r.organization_id, 'tag.' || r.archived::text || '.' || r.tag,
        pg_backend_pid(), -count(*) FROM removed r GROUP BY 1, 2
      ON CONFLICT (organization_id, list, shard) DO UPDATE SET total = known.total + excluded.total;
  END IF;
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER contact_tags_come AFTER INSERT ON contact_tags REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_contact_tags();
CREATE OR REPLACE TRIGGER contact_tags_go AFTER DELETE ON contact_tags REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_contact_tags();

CREATE OR REPLACE FUNCTION count_conversations()
  RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO list_counts AS known (organization_id, list, shard, total)
      SELECT r.organization_id, 'conversations.' || r.status,
        pg_backend_pid(), count(*) FROM added r GROUP BY 1, 2
      ON CONFLICT (organization_id, list, shard) DO UPDATE SET total = known.total + excluded.total;
  ELSE
    INSERT INTO list_counts AS known (organization_id, list, shard, total)
      SELECT r.organization_id, 'conversations.' || r.status,
        pg_backend_pid(), -count(*) FROM removed r GROUP BY 1, 2
      ON CONFLICT (organization_id, list, shard) DO UPDATE SET total = known.total + excluded.total;
  END IF;
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER conversations_come AFTER INSERT ON conversations REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_conversations();
CREATE OR REPLACE TRIGGER conversations_go AFTER DELETE ON conversations REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_conversations();

CREATE OR REPLACE FUNCTION move_conversations()
  RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  IF ('conversations.' || OLD.status)
      <> ('conversations.' || NEW.status) THEN
    INSERT INTO list_counts AS known (organization_id, list, shard, total)
      VALUES (OLD.organization_id, ('conversations.' || OLD.status), pg_backend_pid(), -1),
        (NEW.organization_id, ('conversations.' || NEW.status), pg_backend_pid(), 1)
      ON CONFLICT (organization_id, list, shard) DO UPDATE SET total = known.total + excluded.total;
  END IF;
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER conversations_move AFTER UPDATE OF status ON conversations
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION move_conversations();

CREATE OR REPLACE FUNCTION count_messages()
  RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO list_counts AS known (organization_id, list, shard, total)
      SELECT r.organization_id, 'messages',
        pg_backend_pid(), count(*) FROM added r GROUP BY 1, 2
      ON CONFLICT (organization_id, list, shard) DO UPDATE SET total = known.total + excluded.total;
  ELSE
    INSERT INTO list_counts AS known (organization_id, list, shard, total)
      SELECT r.organization_id, 'messages',
        pg_backend_pid(), -count(*) FROM removed r GROUP BY 1, 2
      ON CONFLICT (organization_id, list, shard) DO UPDATE SET total = known.total + excluded.total;
  END IF;
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER messages_come AFTER INSERT ON messages REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_messages();
CREATE OR REPLACE TRIGGER messages_go AFTER DELETE ON messages REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_messages();

-- How many recipients of a broadcast are in which status: counting a million takes half a second, and whoever looks at
-- broadcasts looks at twenty of them, again and again. Only skipping has reasons that are counted: those of failures
-- are sentences.
CREATE OR REPLACE FUNCTION count_broadcast_recipients()
  RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO list_counts AS known (organization_id, list, shard, total)
      SELECT r.organization_id, 'broadcast.' || r.broadcast_id || '.' || r.status
          || CASE WHEN r.status = 'skipped' THEN '.' || r.reason ELSE '' END,
        pg_backend_pid(), sum(r.change) FROM (SELECT organization_id, broadcast_id, status, reason, 1 AS change FROM added) r GROUP BY 1, 2 HAVING sum(r.change) <> 0
      ON CONFLICT (organization_id, list, shard) DO UPDATE SET total = known.total + excluded.total;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO list_counts AS known (organization_id, list, shard, total)
      SELECT r.organization_id, 'broadcast.' || r.broadcast_id || '.' || r.status
          || CASE WHEN r.status = 'skipped' THEN '.' || r.reason ELSE '' END,
        pg_backend_pid(), sum(r.change) FROM (SELECT organization_id, broadcast_id, status, reason, -1 AS change FROM removed) r GROUP BY 1, 2 HAVING sum(r.change) <> 0
      ON CONFLICT (organization_id, list, shard) DO UPDATE SET total = known.total + excluded.total;
  ELSE
    INSERT INTO list_counts AS known (organization_id, list, shard, total)
      SELECT r.organization_id, 'broadcast.' || r.broadcast_id || '.' || r.status
          || CASE WHEN r.status = 'skipped' THEN '.' || r.reason ELSE '' END,
        pg_backend_pid(), sum(r.change) FROM (
          SELECT organization_id, broadcast_id, status, reason, -1 AS change FROM removed
          UNION ALL SELECT organization_id, broadcast_id, status, reason, 1 AS change FROM added
        ) r GROUP BY 1, 2 HAVING sum(r.change) <> 0
      ON CONFLICT (organization_id, list, shard) DO UPDATE SET total = known.total + excluded.total;
  END IF;
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER broadcast_recipients_come AFTER INSERT ON broadcast_recipients REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_broadcast_recipients();
CREATE OR REPLACE TRIGGER broadcast_recipients_move AFTER UPDATE ON broadcast_recipients REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_broadcast_recipients();
CREATE OR REPLACE TRIGGER broadcast_recipients_go AFTER DELETE ON broadcast_recipients REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_broadcast_recipients();

-- Puts the counts of connections together in shard 0 where a list has `crowded` shards or more. A shard that a
-- connection just counts in is left out. Gives how many rows are gone.
CREATE OR REPLACE FUNCTION compact_list_counts(crowded integer)
  RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE gone integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(7275540) THEN RETURN 0; END IF;
  PERFORM set_config('app.cross_tenant', 'compact', true);
  WITH many AS (
    SELECT organization_id, list FROM list_counts WHERE shard <> 0 GROUP BY 1, 2 HAVING count(*) >= crowded
  ), taken AS (
    SELECT c.organization_id, c.list, c.shard FROM list_counts c JOIN many USING (organization_id, list)
      WHERE c.shard <> 0 FOR NO KEY UPDATE OF c SKIP LOCKED
  ), removed AS (
    DELETE FROM list_counts c USING taken t
      WHERE c.organization_id = t.organization_id AND c.list = t.list AND c.shard = t.shard
      RETURNING c.organization_id, c.list, c.total
  ), kept AS (
    INSERT INTO list_counts AS known (organization_id, list, shard, total)
      SELECT organization_id, list, 0, sum(total) FROM removed GROUP BY 1, 2
      ON CONFLICT (organization_id, list, shard) DO UPDATE SET total = known.total + excluded.total
  ) SELECT count(*) INTO gone FROM removed;
  PERFORM set_config('app.cross_tenant', '', true);
  RETURN gone;
END
$$;
REVOKE ALL ON FUNCTION compact_list_counts(integer) FROM PUBLIC;
