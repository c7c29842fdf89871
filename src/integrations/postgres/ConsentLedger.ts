/**
 * The ledger of consents. The service's role may not change or delete its rows. Phones are kept as a hash, so an archived or erased contact
 * leaves its evidence and not its number (whoever guesses the number can still confirm it). Runs inside the tenant's transaction.
 */
import { createHash } from "node:crypto"
import type { PgClient } from "@effect/sql-pg"
import { newId } from "../../domain/Ids.ts"
import type { Consenting, NewConsentEntry } from "../../domain/VoiceConsent.ts"

export interface ConsentRow {
  readonly happenedAt: Date
  readonly recordedAt: Date
}

export const phoneHash = (organizationId: string, phone: string) =>
  createHash("sha256").update(`${organizationId}|${phone}`).digest()

/** Adds an entry about a contact; gives its row. */
export const addConsent = (
  sql: PgClient.PgClient,
  channel: "voice" | "messaging",
  { organizationId, id, phone }: Consenting,
  { action, at, source, text, recordedBy }: NewConsentEntry
) => sql<ConsentRow>`INSERT INTO consents (organization_id, id, contact_id, phone_hash, channel, action, happened_at, source, text, recorded_by)
  VALUES (${organizationId}, ${newId("cns")}, ${id}, ${phoneHash(organizationId, phone)}, ${channel}, ${action}, ${new Date(at)},
    ${source}, ${text}, ${recordedBy}) RETURNING *`
