/** A recipient of a broadcast, and why a contact is skipped. */
import { Schema } from "effect"
import { exampleIds } from "../../basics/Examples.ts"
import type { Contact } from "../../people/contacts/Contact.ts"

/** Why a recipient got nothing. `missing_value`: a placeholder without replacement, and the contact has nothing for it. */
export const SkipReason = Schema.Literals([
  /** The contact said that it does not want messages. */
  "opted_out",
  /** The contact never said that it wants messages. */
  "never_opted_in",
  "no_phone",
  "archived",
  "erased",
  "missing_value",
  "rate_limited",
  "cancelled"
])
export type SkipReason = typeof SkipReason.Type

export const BroadcastRecipient = Schema.Struct({
  contactId: Schema.String,
  /** Null when the contact has none, or was erased. */
  name: Schema.NullOr(Schema.String),
  phone: Schema.NullOr(Schema.String),
  status: Schema.Literals(["queued", "sent", "delivered", "read", "failed", "skipped"]),
  /** Why it was skipped, or failed. */
  reason: Schema.NullOr(Schema.String),
  /** Null until the message is stored. */
  messageId: Schema.NullOr(Schema.String),
  updatedAt: Schema.String
}).annotate({
  title: "BroadcastRecipient",
  examples: [
    {
      contactId: exampleIds.contact,
      name: "Asha Rao",
      phone: "+14155550123",
      status: "delivered",
      reason: null,
      messageId: exampleIds.answer,
      updatedAt: "2026-11-22T12:00:02.000Z"
    }
  ]
})
export type BroadcastRecipient = typeof BroadcastRecipient.Type
export const RecipientStatus = BroadcastRecipient.fields.status

/** The part of a contact that decides whether it gets a broadcast. */
export interface Addressee extends Pick<Contact, "id" | "name" | "phone" | "email" | "optedIn"> {
  readonly archived: boolean
  /** The contact has once said that it does not want messages. */
  readonly withdrew: boolean
  /** The contact has a number, or the channel knows it by the channel's own id. */
  readonly reachable: boolean
}

/** Why this contact is skipped; `undefined` when it gets the message. */
export const unwanted = (contact: Addressee | undefined): SkipReason | undefined => {
  if (contact === undefined) return "erased"
  if (contact.archived) return "archived"
  if (!contact.optedIn) return contact.withdrew ? "opted_out" : "never_opted_in"
  return contact.reachable ? undefined : "no_phone"
}
