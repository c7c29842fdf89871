/**
 * Files that are to be fetched from the messaging channel are claimed beside its other letters, each kind by an index of its own: however many
 * files wait, the first message is found at once.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const due = (which: string, most: string) => `SELECT i.organization_id, i.id FROM channel_inbox i
        WHERE i.state = 'waiting' AND ${which} AND i.due_at <= at AND NOT EXISTS (
          SELECT 1 FROM channel_inbox e WHERE e.organization_id = i.organization_id AND e.line = i.line
            AND e.state = 'waiting' AND e.position < i.position)
        ORDER BY i.due_at LIMIT greatest(0, ${most})`

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`DROP INDEX channel_inbox_due`
  yield* sql`CREATE INDEX channel_inbox_due ON channel_inbox (due_at) WHERE state = 'waiting' AND kind <> 'media'`
  yield* sql`CREATE INDEX channel_inbox_files_due ON channel_inbox (due_at) WHERE state = 'waiting' AND kind = 'media'`

  yield* sql`DROP FUNCTION due_in_channel_inbox(timestamptz, integer)`
  yield* sql.unsafe(`CREATE FUNCTION due_in_channel_inbox(at timestamptz, letters integer, files integer)
    RETURNS TABLE (organization_id text, id text)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    BEGIN
      PERFORM set_config('app.cross_tenant', 'lookup', true);
      RETURN QUERY ${due("i.kind <> 'media'", "letters")};
      RETURN QUERY ${due("i.kind = 'media'", "files")};
      PERFORM set_config('app.cross_tenant', '', true);
    END $$`)
  yield* sql`REVOKE ALL ON FUNCTION due_in_channel_inbox(timestamptz, integer, integer) FROM PUBLIC`
})
