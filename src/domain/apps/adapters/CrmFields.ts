/** What a contact is in a CRM: our fields under the CRM's names. */
import type { Contact } from "../../people/contacts/Contact.ts"
import type { mappingOf } from "../FieldMapping.ts"
import { namesOf } from "./UpsertContact.ts"

export type CrmFields = Readonly<Record<string, string | boolean | null>>

/**
 * The fields of `contact` under the names of `mapping`; what the contact does not have is left out, and so are its tags (`TagField.ts`). Without a field for
 * the name, `split` says which fields its first word and the rest fill.
 */
export const crmFields = (
  contact: Contact,
  mapping: ReturnType<typeof mappingOf>,
  split: (first: string, rest: string) => CrmFields
): CrmFields => {
  const fields: Record<string, string | boolean | null> = {}
  const put = (field: string | undefined, value: string | boolean | null) => {
    if (field !== undefined && value !== null) fields[field] = value
  }
  put(mapping.id, contact.id)
  put(mapping.phone, contact.phone)
  put(mapping.email, contact.email)
  put(mapping.optedIn, contact.optedIn)
  if (mapping.name !== undefined) put(mapping.name, contact.name)
  else if (contact.name !== null) Object.assign(fields, split(...namesOf(contact.name)))
  return fields
}
