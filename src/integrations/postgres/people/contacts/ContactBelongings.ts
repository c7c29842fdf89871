/** What belongs to a contact, and goes to another one with it when the two become one. Runs inside the tenant's transaction, in the order of docs/locks.md. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"

/** Tables whose rows name one contact and have an id, in the order in which they are locked. */
const owned = ["payment_links", "orders", "carts", "calls", "conversations"]

/**
 * Gives the record of an integration, which calls the contact by its own id, to the contact that stays. Where that one has a record there already, the
 * second stays linked to the merged contact, which stands for it: what is changed there comes to the contact that stays.
 */
const moveLinks = Effect.fnUntraced(function* (sql: PgClient.PgClient, from: string, to: string) {
  yield* sql`SELECT 1 FROM app_links WHERE contact_id = ${from} ORDER BY connection_id, kind, local_id FOR NO KEY UPDATE`
  yield* sql`UPDATE app_links l SET local_id = ${to} WHERE l.contact_id = ${from} AND l.kind = 'contact' AND l.local_id = ${from}
    AND NOT EXISTS (SELECT 1 FROM app_links o WHERE o.connection_id = l.connection_id AND o.kind = 'contact' AND o.local_id = ${to})`
  yield* sql`UPDATE app_links SET contact_id = ${to} WHERE contact_id = ${from}`
})

/** What is to be told to integrations. Of the merged contact itself nothing is: it is archived. */
const moveTasks = Effect.fnUntraced(function* (sql: PgClient.PgClient, from: string, to: string) {
  yield* sql`SELECT 1 FROM app_tasks WHERE contact_id = ${from} AND status = 'pending' ORDER BY id FOR NO KEY UPDATE`
  yield* sql`UPDATE app_tasks SET status = 'gone', due_at = NULL, settled_at = now() WHERE contact_id = ${from} AND subject_id = ${from}
    AND status = 'pending'`
  yield* sql`UPDATE app_tasks SET contact_id = ${to} WHERE contact_id = ${from} AND status = 'pending'`
})

/** Moves everything that belongs to the contact `from` to the contact `to`. Both are locked. */
export const moveBelongings = Effect.fnUntraced(function* (sql: PgClient.PgClient, from: string, to: string) {
  for (const name of owned) {
    const table = sql(name)
    yield* sql`SELECT 1 FROM ${table} WHERE contact_id = ${from} ORDER BY id FOR NO KEY UPDATE`
    yield* sql`UPDATE ${table} SET contact_id = ${to} WHERE contact_id = ${from}`
  }
  yield* sql`UPDATE contacts SET last_seen_at = greatest(last_seen_at, (SELECT f.last_seen_at FROM contacts f WHERE f.id = ${from})) WHERE id = ${to}`
  yield* sql`UPDATE contact_identities SET contact_id = ${to} WHERE contact_id = ${from}`
  yield* sql`INSERT INTO company_contacts (organization_id, company_id, contact_id)
    SELECT organization_id, company_id, ${to} FROM company_contacts WHERE contact_id = ${from} ON CONFLICT DO NOTHING`
  yield* sql`DELETE FROM company_contacts WHERE contact_id = ${from}`
  yield* moveTasks(sql, from, to)
  yield* moveLinks(sql, from, to)
})

/** Archives the contact `from`, which stands for `to` from now on, with all that were merged into it: merges make no chains. */
export const standFor = Effect.fnUntraced(function* (sql: PgClient.PgClient, from: string, to: string) {
  yield* sql`UPDATE contacts SET merged_into = ${to}, updated_at = now() WHERE merged_into = ${from}`
  yield* sql`UPDATE contacts SET archived_at = coalesce(archived_at, now()), merged_into = ${to}, updated_at = now() WHERE id = ${from}`
})
