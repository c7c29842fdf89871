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

DO $do$
DECLARE module text;
BEGIN
  FOREACH module IN ARRAY ARRAY['companies', 'products', 'orders', 'suppliers'] LOOP
    EXECUTE format('CREATE OR REPLACE TRIGGER %1$s_come AFTER INSERT ON %1$s REFERENCING NEW TABLE AS added
      FOR EACH STATEMENT EXECUTE FUNCTION count_new_records()', module);
    EXECUTE format('CREATE OR REPLACE TRIGGER %1$s_move AFTER UPDATE ON %1$s REFERENCING OLD TABLE AS removed NEW TABLE AS added
      FOR EACH STATEMENT EXECUTE FUNCTION count_records()', module);
  END LOOP;
END
$do$;
