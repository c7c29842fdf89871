/**
 * The ledger of consents. The service's role may not change or delete its rows. Phones are kept as a hash, so an archived or erased contact
 * leaves its evidence and not its number (whoever guesses the number can still confirm it). Runs inside the tenant's transaction.
 */
import { createHash } from "node:crypto"
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { Contact } from "../../domain/Contact.ts"
import { newId } from "../../domain/Ids.ts"
import type { ConsentEntry, NewConsentEntry } from "../../domain/VoiceConsent.ts"

export interface ConsentRow {
  readonly happenedAt: Date
  readonly recordedAt: Date
}

export const phoneHash = (organizationId: string, phone: string) =>
  createHash("sha256").update(`${organizationId}|${phone}`).digest()

/** As whom the ledger knows a contact: by the number, else by its id. The function `find_recipients` says the same. */
export const ledgerSubject = ({ id, phone }: Pick<Contact, "id" | "phone">): string => phone ?? `contact:${id}`

/** Adds an entry about a contact; gives its row. */
export const addConsent = (
  sql: PgClient.PgClient,
  channel: "voice" | "messaging",
  contact: Pick<Contact, "organizationId" | "id" | "phone">,
  { action, at, source, text, recordedBy }: NewConsentEntry
) => sql<ConsentRow>`INSERT INTO consents (organization_id, id, contact_id, phone_hash, channel, action, happened_at, source, text, recorded_by)
  VALUES (${contact.organizationId}, ${newId("cns")}, ${contact.id}, ${phoneHash(contact.organizationId, ledgerSubject(contact))}, ${channel}, ${action}, ${new Date(at)},
    ${source}, ${text}, ${recordedBy}) RETURNING *`

/**
 * Somebody whom the ledger knew by an id alone turns out to have this number: the last word about messages, when it is one of `words`, counts for the
 * number too, unless the number has a later one. Gives whether `to` has opted in by that, `undefined` when nothing says so.
 */
export const carryWord = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  from: Pick<Contact, "organizationId" | "id">,
  to: { readonly id: string; readonly phone: string },
  words: ReadonlyArray<ConsentEntry["action"]>
) {
  const { organizationId } = from
  const unnumbered = phoneHash(organizationId, ledgerSubject({ id: from.id, phone: null }))
  const numbered = phoneHash(organizationId, to.phone)
  const [last] = yield* sql<{ action: ConsentEntry["action"]; isCarried: boolean }>`WITH last AS (
      SELECT *, phone_hash = ${unnumbered} AND action = ANY(${words}::text[]) AS is_carried FROM consents
        WHERE phone_hash IN (${unnumbered}, ${numbered}) AND channel = 'messaging' ORDER BY ordinal DESC LIMIT 1
    ), carried AS (
      INSERT INTO consents (organization_id, id, contact_id, phone_hash, channel, action, happened_at, source, text, recorded_by)
        SELECT organization_id, ${newId("cns")}, ${to.id}, ${numbered}, channel, action, happened_at, source, text, recorded_by
        FROM last WHERE is_carried
    ) SELECT action, is_carried FROM last`
  if (last?.action === "withdrawn") return false
  return last?.isCarried === true ? true : undefined
})
