/** Messages of the outbox are claimed in one statement, and looking for them stays cheap while the outbox grows. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** As in migration 46; and the first rows come from an index, in its order. */
const lookingUp = ["enable_seqscan", "enable_hashjoin", "enable_mergejoin", "enable_bitmapscan", "enable_sort"]
const settings = lookingUp.map((name) => `SET ${name} = off`).join(" ")

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // The disk is not waited for: a claim that the database forgets when it crashes is made again. Nothing was handed over by then, since the note
  // of that (begin_delivery) waits for the disk, and for all that was written before it.
  yield* sql`CREATE FUNCTION claim_messages(wanted_organization text, at timestamptz, until timestamptz, most integer)
    RETURNS TABLE (message_id text, attempts integer) LANGUAGE plpgsql ${sql.literal(settings)} AS $$
    #variable_conflict use_column
    DECLARE due text[];
    BEGIN
      PERFORM enter_organization(wanted_organization);
      PERFORM set_config('synchronous_commit', 'off', true);
      due := ARRAY(SELECT o.message_id FROM outbox o WHERE o.organization_id = wanted_organization AND o.head AND o.due_at <= at
        ORDER BY o.due_at LIMIT most FOR UPDATE SKIP LOCKED);
      RETURN QUERY UPDATE outbox o SET attempts = o.attempts + 1, due_at = until
        WHERE o.organization_id = wanted_organization AND o.message_id = ANY (due) RETURNING o.message_id, o.attempts;
    END $$`

  for (const name of [
    "organizations_to_deliver(timestamptz)",
    "begin_delivery(text, text, integer, timestamptz, timestamptz)",
    "promote_in_outbox()"
  ])
    for (const setting of lookingUp) yield* sql.unsafe(`ALTER FUNCTION ${name} SET ${setting} = off`)
})
