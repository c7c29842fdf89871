/**
 * How many recipients of a broadcast are where, counted as they move (the counts of migration 33): counting a million takes half a second, and who
 * looks at broadcasts looks at twenty of them, again and again. What messages do to recipients is done for all of a statement at once, so counting
 * costs a statement and not a message.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { overAllTenants } from "./isolate.ts"

/** Of a recipient `r`. Only skipping has reasons that are counted: those of failures are sentences. */
const list = `'broadcast.' || r.broadcast_id || '.' || r.status || CASE WHEN r.status = 'skipped' THEN '.' || r.reason ELSE '' END`

const counted = (source: string) => `INSERT INTO list_counts AS known (organization_id, list, shard, total)
  SELECT r.organization_id, ${list}, pg_backend_pid(), sum(r.change) FROM (${source}) r GROUP BY 1, 2 HAVING sum(r.change) <> 0
  ON CONFLICT (organization_id, list, shard) DO UPDATE SET total = known.total + excluded.total;`

const rowsOf = (table: string, change: string) =>
  `SELECT organization_id, broadcast_id, status, reason, ${change} AS change FROM ${table}`

/** As in migration 46: a plan that was made for few recipients must not read through many. */
const lookingUp = "SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* overAllTenants(
    ["broadcast_recipients", "list_counts"],
    sql.unsafe(`INSERT INTO list_counts (organization_id, list, shard, total)
      SELECT r.organization_id, ${list}, 0, count(*) FROM broadcast_recipients r GROUP BY 1, 2`)
  )
  yield* sql.unsafe(`CREATE FUNCTION count_broadcast_recipients() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN ${counted(rowsOf("added", "1"))}
      ELSIF TG_OP = 'DELETE' THEN ${counted(rowsOf("removed", "-1"))}
      ELSE ${counted(`${rowsOf("removed", "-1")} UNION ALL ${rowsOf("added", "1")}`)} END IF;
      RETURN NULL;
    END $$`)
  for (const [name, event, tables] of [
    ["come", "INSERT", "NEW TABLE AS added"],
    ["move", "UPDATE", "OLD TABLE AS removed NEW TABLE AS added"],
    ["go", "DELETE", "OLD TABLE AS removed"]
  ])
    yield* sql.unsafe(`CREATE TRIGGER broadcast_recipients_${name} AFTER ${event} ON broadcast_recipients REFERENCING ${tables}
      FOR EACH STATEMENT EXECUTE FUNCTION count_broadcast_recipients()`)

  // The messages' own statement moves their recipients, as one message did (migration 30).
  yield* sql`DROP TRIGGER messages_of_broadcasts ON messages`
  yield* sql`DROP FUNCTION keep_broadcast_recipient()`
  yield* sql`CREATE FUNCTION keep_broadcast_recipients() RETURNS trigger LANGUAGE plpgsql ${sql.literal(lookingUp)} AS $$
    BEGIN
      IF EXISTS (SELECT 1 FROM changed m WHERE starts_with(m.sent_by, 'brd_')) THEN
        UPDATE broadcast_recipients r SET status = m.status, reason = '', updated_at = clock_timestamp() FROM changed m
          WHERE starts_with(m.sent_by, 'brd_') AND r.organization_id = m.organization_id AND r.message_id = m.id AND r.status <> m.status;
      END IF;
      RETURN NULL;
    END $$`
  for (const event of ["INSERT", "UPDATE"])
    yield* sql.unsafe(`CREATE TRIGGER messages_of_broadcasts_${event.toLowerCase()} AFTER ${event} ON messages REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION keep_broadcast_recipients()`)
})
