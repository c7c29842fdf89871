/** Port of the store that erases a contact's data. `EraseContact` is the use case. */
import { Context, type Effect, Schema } from "effect"
import type { ObjectKey } from "../basics/ObjectStorage.ts"

/** 409: a call of the contact is still under way. */
export class ContactBusy extends Schema.TaggedError<ContactBusy>()("ContactBusy", { contactId: Schema.String }) {}

/** A file of the contact, perhaps a new one, must be removed first. */
export class ContactHasFiles extends Schema.TaggedError<ContactHasFiles>()("ContactHasFiles", {
  contactId: Schema.String
}) {}

/** How much was erased with a contact, and the hash under which its consents are kept. */
export interface Erasure {
  /** Hexadecimal; null for a contact without a number. */
  readonly phoneHash: string | null
  readonly conversations: number
  readonly messages: number
  readonly calls: number
  /** Files of its messages that no other message refers to. They are hidden now, and the caller must remove their contents. */
  readonly mediaIds: ReadonlyArray<string>
}

export class ContactErasure extends Context.Service<
  ContactErasure,
  {
    /**
     * Gives some of the files (recordings and exports) that must be removed before the contact can be erased; empty when none remain. `gone`: files
     * that the caller has removed since the last call; the store deletes its references to them.
     */
    readonly releaseFiles: (
      organizationId: string,
      contactId: string,
      gone: ReadonlyArray<ObjectKey>
    ) => Effect.Effect<ReadonlyArray<ObjectKey>, ContactBusy>
    /**
     * Removes the contact, rows of imports about it, its conversations with messages, notes, labels and what text agents know of them,
     * and the content of its calls; the contact must have no files. Calls stay without
     * the contact's address, for statistics. Consents stay as evidence under the hash of the number, and are withdrawn: nobody may be
     * called or written to on the word of an erased contact. Its calls that wait in the queue are canceled, and its voicemails are removed at the
     * provider afterwards. `undefined` when there is no such contact.
     */
    readonly erase: (
      organizationId: string,
      contactId: string
    ) => Effect.Effect<Erasure | undefined, ContactBusy | ContactHasFiles>
  }
>()("parley/domain/ContactErasure") {}
