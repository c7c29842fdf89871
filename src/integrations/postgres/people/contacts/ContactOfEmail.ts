/** Finds a contact by its e-mail address. Runs inside the tenant's transaction. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"

interface Found {
  readonly id: string
  readonly phone: string | null
}

const candidates = (sql: PgClient.PgClient, email: string) =>
  sql`SELECT id, phone FROM contacts WHERE lower_email = lower(${email}) AND merged_into IS NULL AND archived_at IS NULL ORDER BY id LIMIT 2`

/** Of two people with one address nobody knows which it is. */
const theOne = (rows: ReadonlyArray<Found>): Found | undefined => (rows.length === 1 ? rows[0] : undefined)

/** The one contact with this address, in any case of its letters. Undefined when there is none, or more than one. */
export const contactOfEmail = (sql: PgClient.PgClient, email: string) =>
  Effect.map(sql<Found>`${candidates(sql, email)}`, theOne)

/** The same, and holds it until the transaction ends. */
export const holdContactOfEmail = (sql: PgClient.PgClient, email: string) =>
  Effect.map(sql<Found>`${candidates(sql, email)} FOR NO KEY UPDATE`, theOne)
