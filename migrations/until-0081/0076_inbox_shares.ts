/**
 * Letters of the messaging channel are claimed by organization: each that waits gets an equal share, in an order that is drawn anew each time, so
 * that however much one is told, nobody else waits behind it. Looking costs little then, too: neither the letters of one organization nor those
 * that wait behind one of their own line are looked through.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** As in migration 47. */
const settings = ["seqscan", "hashjoin", "mergejoin", "bitmapscan", "sort"].map((way) => `SET enable_${way} = off`)

const letters = "kind <> 'media'"
const files = "kind = 'media'"

/** Those that are due first; what waits behind another of its line is none of these, and when that is all there is, the first of each line are. */
const looked = 200

const waiting = (which: string) => `i.state = 'waiting' AND i.${which}`

/** Each organization's first, by skipping from one to the next. */
const organizations = (which: string) => `ARRAY(
        WITH RECURSIVE first AS (
          (SELECT i.organization_id, i.due_at FROM channel_inbox i WHERE ${waiting(which)}
            ORDER BY i.organization_id, i.due_at LIMIT 1)
          UNION ALL
          SELECT n.* FROM first f CROSS JOIN LATERAL (
            SELECT i.organization_id, i.due_at FROM channel_inbox i WHERE ${waiting(which)} AND i.organization_id > f.organization_id
            ORDER BY i.organization_id, i.due_at LIMIT 1) n
        )
        SELECT f.organization_id FROM first f WHERE f.due_at <= at ORDER BY random())`

const dueFirst = (which: string) => `SELECT w.organization_id, w.id FROM (
            SELECT i.organization_id, i.id, i.line, i.position, i.due_at FROM channel_inbox i
            WHERE ${waiting(which)} AND i.organization_id = whose AND i.due_at <= at
            ORDER BY i.due_at, i.position LIMIT ${looked}) w
          WHERE NOT EXISTS (SELECT 1 FROM channel_inbox i WHERE ${waiting(which)} AND i.organization_id = whose
            AND i.line = w.line AND i.position < w.position)
          ORDER BY w.due_at, w.position LIMIT places`

const firstOfLines = (which: string) => `WITH RECURSIVE head AS (
            (SELECT i.id, i.line, i.due_at, 1 AS place FROM channel_inbox i WHERE ${waiting(which)} AND i.organization_id = whose
              ORDER BY i.line, i.position LIMIT 1)
            UNION ALL
            SELECT n.*, h.place + 1 FROM head h CROSS JOIN LATERAL (
              SELECT i.id, i.line, i.due_at FROM channel_inbox i WHERE ${waiting(which)} AND i.organization_id = whose AND i.line > h.line
              ORDER BY i.line, i.position LIMIT 1) n WHERE h.place < ${looked}
          )
          SELECT whose, h.id FROM head h WHERE h.due_at <= at ORDER BY h.due_at LIMIT places`

/** Gives at most `most`, and of an organization no more than what `under_way` (its name once for each) leaves of `per_organization`. */
const claimable = (
  name: string,
  which: string
) => `CREATE FUNCTION ${name}(at timestamptz, most integer, per_organization integer,
    under_way text[]) RETURNS TABLE (organization_id text, id text)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp ${settings.join(" ")} AS $$
    #variable_conflict use_column
    DECLARE whose text; those text[]; share integer; places integer; taken integer; free integer := most;
    BEGIN
      PERFORM set_config('app.cross_tenant', 'lookup', true);
      those := ${organizations(which)};
      share := greatest(1, most / greatest(1, cardinality(those)));
      FOREACH whose IN ARRAY those LOOP
        EXIT WHEN free <= 0;
        places := least(share, free, per_organization - cardinality(array_positions(under_way, whose)));
        CONTINUE WHEN places <= 0;
        RETURN QUERY ${dueFirst(which)};
        GET DIAGNOSTICS taken = ROW_COUNT;
        IF taken = 0 THEN
          RETURN QUERY ${firstOfLines(which)};
          GET DIAGNOSTICS taken = ROW_COUNT;
        END IF;
        free := free - taken;
      END LOOP;
      PERFORM set_config('app.cross_tenant', '', true);
    END $$`

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`DROP FUNCTION due_in_channel_inbox(timestamptz, integer, integer)`
  yield* sql`DROP INDEX channel_inbox_due, channel_inbox_files_due, channel_inbox_lines`
  for (const [name, which] of [
    ["letters", letters],
    ["files", files]
  ] as const) {
    const these = `WHERE state = 'waiting' AND ${which}`
    yield* sql.unsafe(
      `CREATE INDEX channel_inbox_${name}_due ON channel_inbox (organization_id, due_at, position) ${these}`
    )
    yield* sql.unsafe(
      `CREATE INDEX channel_inbox_${name}_lines ON channel_inbox (organization_id, line, position) ${these}`
    )
    yield* sql.unsafe(claimable(`due_${name}_in_channel_inbox`, which))
    yield* sql.unsafe(
      `REVOKE ALL ON FUNCTION due_${name}_in_channel_inbox(timestamptz, integer, integer, text[]) FROM PUBLIC`
    )
  }
})
