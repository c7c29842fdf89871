/** The fields of a contact that both sides of an integration may change. */
import type { Contact } from "../people/contacts/Contact.ts"

export const sharedFields = ["phone", "name", "email", "tags"] as const

/** `phone` as it is spelled where it comes from. */
export type ContactFields = Pick<Contact, (typeof sharedFields)[number]>
