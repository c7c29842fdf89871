/**
 * Consent to be called, as evidence: who recorded it, when it was given, where, and in which words. Entries are only added to the ledger. It is kept
 * by number, so it outlives the contact. Whether the evidence is sufficient is the customer's responsibility.
 */
import { Context, type Effect, Schema } from "effect"
import { exampleIds } from "../../basics/Examples.ts"

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
}).annotate({
  title: "ConsentEntry",
  examples: [
    {
      id: exampleIds.consent,
      action: "granted",
      at: "2026-11-21T09:30:00.000Z",
      source: "web form",
      text: "Maple Books may call me about my orders.",
      recordedBy: exampleIds.key,
      recordedAt: "2026-11-21T09:30:02.000Z"
    }
  ]
})
export type ConsentEntry = typeof ConsentEntry.Type

export type NewConsentEntry = Omit<ConsentEntry, "id" | "recordedAt">

/** The source of an entry that a client made with a flag or a DELETE: the contact's words are not known. */
export const byInterface = (recordedBy: string) => ({ source: "API", text: "", recordedBy }) as const

/** The source of the withdrawal that an erasure records. */
export const erasureSource = "erasure"

/** The contact who consents. The consent belongs to its number (E.164). */
export interface Consenting {
  readonly organizationId: string
  readonly id: string
  readonly phone: string
}

export class VoiceConsents extends Context.Service<
  VoiceConsents,
  {
    /** Adds an entry to the ledger, unless the newest entry is the same. `undefined` when the contact has been erased meanwhile. */
    readonly record: (contact: Consenting, entry: NewConsentEntry) => Effect.Effect<ConsentEntry | undefined>
    /** Newest first, with the entries of an earlier contact with this number. */
    readonly history: (organizationId: string, phone: string) => Effect.Effect<ReadonlyArray<ConsentEntry>>
  }
>()("parley/domain/VoiceConsents") {}

/** The newest entry, when it grants consent. `history` is newest first. */
export const consentInForce = (history: ReadonlyArray<ConsentEntry>): ConsentEntry | undefined =>
  history[0]?.action === "granted" ? history[0] : undefined

/** Numbers of +1 are called only with consent: the United States require it, and their neighbours share the country code. */
const needsConsent = (phone: string): boolean => phone.startsWith("+1")

const store = "store it with PUT /api/contacts/{id}/voice-consent."

/**
 * The sentence that says why this number may not be called; `undefined` when it may be called. A withdrawal holds for every number, also where
 * calls need no consent: a person who was erased, or does not want to be called, is not called. `history` is newest first.
 */
export const consentRefusal = (
  phone: string,
  history: ReadonlyArray<Pick<ConsentEntry, "action" | "source">>
): string | undefined => {
  const newest = history[0]
  if (newest === undefined)
    return needsConsent(phone)
      ? `Calls to +1 numbers need the contact's prior express written consent; ${store}`
      : undefined
  if (newest.action === "granted") return undefined
  return newest.source === erasureSource
    ? `The contact with this number was erased, so the number may only be called with a new consent; ${store}`
    : "The contact has withdrawn the consent to voice calls."
}
