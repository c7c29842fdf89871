/**
 * News about templates is worked on beside letters, with the files: what asks the channel for something may take minutes, and must not hold a place
 * of what people write. And how many letters wait is read from an index again: since migrations 66 and 76 each index of those that wait is of some
 * kinds, and a count that names none of them read the whole table, with all that was settled within a week, in every process every 15 seconds.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const letters = "kind NOT IN ('media', 'template')"
const files = "kind IN ('media', 'template')"

/** The indexes are partial: a count has to say all that they do. */
const waiting = (which: string) => `(SELECT count(*) FROM channel_inbox i WHERE i.state = 'waiting' AND i.${which})`

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`DROP INDEX channel_inbox_letters_due, channel_inbox_letters_lines, channel_inbox_files_due, channel_inbox_files_lines`
  for (const [name, before, which] of [
    ["letters", "kind <> 'media'", letters],
    ["files", "kind = 'media'", files]
  ] as const) {
    const these = `WHERE state = 'waiting' AND ${which}`
    yield* sql.unsafe(
      `CREATE INDEX channel_inbox_${name}_due ON channel_inbox (organization_id, due_at, position) ${these}`
    )
    yield* sql.unsafe(
      `CREATE INDEX channel_inbox_${name}_lines ON channel_inbox (organization_id, line, position) ${these}`
    )
    // As it was made in migration 76, but for which letters it looks at.
    const [{ definition }] = yield* sql<{ definition: string }>`
      SELECT pg_get_functiondef(${`due_${name}_in_channel_inbox(timestamptz, integer, integer, text[])`}::regprocedure) AS definition`
    yield* sql.unsafe(definition.replaceAll(`i.${before}`, `i.${which}`))
  }

  yield* sql.unsafe(`CREATE OR REPLACE FUNCTION count_channel_inbox() RETURNS TABLE (waiting bigint, failed bigint)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off AS $$
    BEGIN
      PERFORM set_config('app.cross_tenant', 'lookup', true);
      RETURN QUERY SELECT ${waiting(letters)} + ${waiting(files)},
        (SELECT count(*) FROM channel_inbox i WHERE i.state = 'failed');
      PERFORM set_config('app.cross_tenant', '', true);
    END $$`)
})
