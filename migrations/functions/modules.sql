-- How many records each module has, in `list_counts` under the name of its table, archived ones apart.

CREATE OR REPLACE FUNCTION count_records()
  RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO list_counts AS known (organization_id, list, shard, total)
    SELECT r.organization_id, TG_TABLE_NAME || CASE WHEN r.archived_at IS NULL THEN '' ELSE '.archived' END, pg_backend_pid(), sum(r.change)
    FROM (SELECT organization_id, archived_at, -1 AS change FROM removed
      UNION ALL SELECT organization_id, archived_at, 1 AS change FROM added) r
    GROUP BY 1, 2 HAVING sum(r.change) <> 0
    ON CONFLICT (organization_id, list, shard) DO UPDATE SET total = known.total + excluded.total;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION count_new_records()
  RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO list_counts AS known (organization_id, list, shard, total)
    SELECT r.organization_id, TG_TABLE_NAME || CASE WHEN r.archived_at IS NULL THEN '' ELSE '.archived' END, pg_backend_pid(), count(*)
    FROM added r GROUP BY 1, 2
    ON CONFLICT (organization_id, list, shard) DO UPDATE SET total = known.total + excluded.total;
  RETURN NULL;
END
$$;

-- Archiving a record moves its words: searches find archived records apart.
CREATE OR REPLACE FUNCTION move_words()
  RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE module_words SET archived = NEW.archived_at IS NOT NULL
    WHERE organization_id = NEW.organization_id AND module = TG_TABLE_NAME AND record_id = NEW.id;
  RETURN NULL;
END
$$;

DO $do$
DECLARE module text;
BEGIN
  FOREACH module IN ARRAY ARRAY['companies', 'products', 'orders', 'suppliers'] LOOP
    EXECUTE format('CREATE OR REPLACE TRIGGER %1$s_come AFTER INSERT ON %1$s REFERENCING NEW TABLE AS added
      FOR EACH STATEMENT EXECUTE FUNCTION count_new_records()', module);
    EXECUTE format('CREATE OR REPLACE TRIGGER %1$s_move AFTER UPDATE ON %1$s REFERENCING OLD TABLE AS removed NEW TABLE AS added
      FOR EACH STATEMENT EXECUTE FUNCTION count_records()', module);
    EXECUTE format('CREATE OR REPLACE TRIGGER %1$s_move_words AFTER UPDATE OF archived_at ON %1$s FOR EACH ROW
      WHEN ((OLD.archived_at IS NULL) <> (NEW.archived_at IS NULL)) EXECUTE FUNCTION move_words()', module);
  END LOOP;
END
$do$;
