/**
 * How many letters of the messaging channel wait is read from an index again: since migrations 66 and 76 each index of those that wait is of one
 * kind, and a count that names none of them read the whole table, with all that was settled within a week, in every process every 15 seconds.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The indexes are partial: a count has to say all that they do. */
const waiting = (which: string) => `(SELECT count(*) FROM channel_inbox i WHERE i.state = 'waiting' AND i.${which})`

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql.unsafe(`CREATE OR REPLACE FUNCTION count_channel_inbox() RETURNS TABLE (waiting bigint, failed bigint)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off AS $$
    BEGIN
      PERFORM set_config('app.cross_tenant', 'lookup', true);
      RETURN QUERY SELECT ${waiting("kind <> 'media'")} + ${waiting("kind = 'media'")},
        (SELECT count(*) FROM channel_inbox i WHERE i.state = 'failed');
      PERFORM set_config('app.cross_tenant', '', true);
    END $$`)
})
