/** When a contact last wrote or called, and lists of contacts by it: those who never did come last. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = ["contacts", "conversations", "messages", "calls"].map((name) => sql(name))
  yield* sql`ALTER TABLE contacts ADD COLUMN last_seen_at timestamptz(3)`
  for (const table of tables) yield* sql`ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`
  yield* sql`UPDATE contacts c SET last_seen_at = s.at FROM (
    SELECT organization_id, contact_id, max(at) AS at FROM (
      SELECT v.organization_id, v.contact_id, m.created_at AS at FROM messages m
        JOIN conversations v ON v.organization_id = m.organization_id AND v.id = m.conversation_id WHERE m.direction = 'inbound'
      UNION ALL SELECT organization_id, contact_id, created_at FROM calls WHERE direction = 'inbound' AND contact_id IS NOT NULL
    ) t GROUP BY organization_id, contact_id
  ) s WHERE c.organization_id = s.organization_id AND c.id = s.contact_id`
  for (const table of tables) yield* sql`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`
  const key = sql.literal("(coalesce(last_seen_at, timestamptz '1970-01-01 00:00:00+00'))")
  yield* sql`CREATE INDEX contacts_by_last_seen ON contacts (organization_id, ${key}, id) WHERE archived_at IS NULL`
  yield* sql`CREATE INDEX contacts_archived_by_last_seen ON contacts (organization_id, ${key}, id) WHERE archived_at IS NOT NULL`
})
