/**
 * Consent to get messages, as evidence: the same ledger as for voice calls, beside the contact's `optedIn`. A contact without a number is
 * known to the ledger by its id.
 */
import { Context, type Effect } from "effect"
import type { Contact } from "./Contact.ts"
import type { ConsentEntry, NewConsentEntry } from "./VoiceConsent.ts"

export interface RecordedConsent {
  readonly contact: Contact
  /** False: it was on record already, by another source. */
  readonly recorded: boolean
}

export class MessagingConsents extends Context.Service<
  MessagingConsents,
  {
    /**
     * Adds to the ledger, changes the contact's `optedIn`, and tells it as an event. What stands already is not added again. `undefined` when there
     * is no such contact. The same source a second time gives the first answer.
     */
    readonly record: (
      organizationId: string,
      contactId: string,
      entry: NewConsentEntry
    ) => Effect.Effect<RecordedConsent | undefined>
    /** Newest first, at most 100. */
    readonly history: (
      organizationId: string,
      contact: Pick<Contact, "id" | "phone">
    ) => Effect.Effect<ReadonlyArray<ConsentEntry>>
  }
>()("parley/domain/MessagingConsents") {}
