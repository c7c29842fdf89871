/**
 * Consent to get messages, as evidence. It is kept in the same ledger as the consent to voice calls, beside the contact's `optedIn`. The ledger names
 * a contact without a number by its id.
 */
import { Context, type Effect } from "effect"
import type { Contact } from "./Contact.ts"
import type { ConsentEntry, NewConsentEntry } from "./VoiceConsent.ts"

export interface RecordedConsent {
  readonly contact: Contact
  /** False: the ledger had this state already, from another source. */
  readonly recorded: boolean
}

export class MessagingConsents extends Context.Service<
  MessagingConsents,
  {
    /**
     * Adds an entry to the ledger, changes the contact's `optedIn`, and records an event. A state that holds already is not added again. `undefined`
     * when there is no such contact. A second call with the same source gives the first answer.
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
