/** Port to the store: taking a contact out of everything that is kept. `EraseContact` is the use case. */
import { Context, type Effect, Schema } from "effect"
import type { ObjectKey } from "../basics/ObjectStorage.ts"

/** 409: a call or a voicemail of the contact is still under way. */
export class ContactBusy extends Schema.TaggedError<ContactBusy>()("ContactBusy", { contactId: Schema.String }) {}

/** A file of the contact, made just now perhaps, has to be removed first. */
export class ContactHasFiles extends Schema.TaggedError<ContactHasFiles>()("ContactHasFiles", {
  contactId: Schema.String
}) {}

/** How much went with an erased contact, and the hash under which its consents are kept. */
export interface Erasure {
  /** Hexadecimal; null for a contact without a number. */
  readonly phoneHash: string | null
  readonly conversations: number
  readonly messages: number
  readonly calls: number
  /** Files of its messages that no other message refers to: nobody sees them any more, and their contents are still to be removed. */
  readonly mediaIds: ReadonlyArray<string>
}

export class ContactErasure extends Context.Service<
  ContactErasure,
  {
    /**
     * Files that have to be removed before the contact can be erased, recordings and exports; a part of them at a time. Those in `gone` have been
     * removed, and nothing refers to them any more. None are left when the answer is empty.
     */
    readonly releaseFiles: (
      organizationId: string,
      contactId: string,
      gone: ReadonlyArray<ObjectKey>
    ) => Effect.Effect<ReadonlyArray<ObjectKey>, ContactBusy>
    /**
     * Removes the contact, its conversations and messages, and what was said in its calls, once it has no files. Calls stay as numbers, consents as
     * evidence under the hash of the number. `undefined` when there is no such contact.
     */
    readonly erase: (
      organizationId: string,
      contactId: string
    ) => Effect.Effect<Erasure | undefined, ContactBusy | ContactHasFiles>
  }
>()("parley/domain/ContactErasure") {}
