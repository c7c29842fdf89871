/**
 * Consent to be called, as evidence: who recorded it, when it was given, where, and in which words. The ledger is only ever added to, and
 * it is kept by the number, so it outlives the contact. Whether the evidence is good enough is the customer's duty, not ours.
 */
import { Context, type Effect, Schema } from "effect"

export const ConsentEntry = Schema.Struct({
  id: Schema.String,
  action: Schema.Literals(["granted", "withdrawn"]),
  /** When the recipient said so. */
  at: Schema.String,
  /** Where it was said, e.g. `web form`. */
  source: Schema.String,
  /** The words that were agreed to. */
  text: Schema.String,
  /** The API key or person who recorded it. */
  recordedBy: Schema.String,
  recordedAt: Schema.String
})
export type ConsentEntry = typeof ConsentEntry.Type

export type NewConsentEntry = Omit<ConsentEntry, "id" | "recordedAt">

/** How an entry came about that a client of the interface made by a flag or a DELETE: nobody's words are known. */
export const byInterface = (recordedBy: string) => ({ source: "API", text: "", recordedBy }) as const

/** The contact whose consent it is: consent belongs to its number. */
export interface Consenting {
  readonly organizationId: string
  readonly id: string
  readonly phone: string
}

export class VoiceConsents extends Context.Service<
  VoiceConsents,
  {
    /** Adds to the ledger; the very same entry as the newest one is not added again. */
    readonly record: (contact: Consenting, entry: NewConsentEntry) => Effect.Effect<ConsentEntry>
    /** Newest first; also what was recorded under an earlier contact with this number. */
    readonly history: (organizationId: string, phone: string) => Effect.Effect<ReadonlyArray<ConsentEntry>>
  }
>()("parley/domain/VoiceConsents") {}

/** The newest entry, when it is a consent. */
export const consentInForce = (history: ReadonlyArray<ConsentEntry>): ConsentEntry | undefined =>
  history[0]?.action === "granted" ? history[0] : undefined

/** Numbers of +1 are called only with consent: the United States require it, and the country code does not tell them from their neighbours. */
const needsConsent = (phone: string): boolean => phone.startsWith("+1")

/** Why this number may not be called, as a sentence; `undefined` when it may. */
export const consentRefusal = (phone: string, history: ReadonlyArray<ConsentEntry>): string | undefined => {
  if (!needsConsent(phone) || consentInForce(history) !== undefined) return undefined
  return history.length > 0
    ? "The contact has withdrawn the consent to voice calls."
    : "Calls to +1 numbers need the contact's prior express written consent; store it with PUT /api/contacts/{id}/voice-consent."
}
