/** Which field of the other side each of our fields of a contact goes to. */
import type { Contact } from "../people/contacts/Contact.ts"
import type { AppSettings } from "./AppConnection.ts"

/** The fields of a contact that integrations are told. */
export const toldFields = ["id", "phone", "name", "email", "tags", "optedIn"] as const
export type ToldField = (typeof toldFields)[number]

/** The mapping of a connection over the adapter's own; a field that is mapped to nothing is left out. */
export const mappingOf = (
  setting: AppSettings[string] | undefined,
  own: Readonly<Partial<Record<ToldField, string>>>
): Readonly<Partial<Record<ToldField, string>>> => (typeof setting === "object" ? { ...own, ...setting } : own)

const ownNames = Object.fromEntries(toldFields.map((name) => [name, name]))

/** The contact under the names of the other side. */
export const mappedContact = (contact: Contact, setting: AppSettings[string] | undefined) => {
  const names = mappingOf(setting, ownNames)
  const fields: Record<string, Contact[ToldField]> = {}
  for (const field of toldFields) {
    const name = names[field]
    if (name !== undefined) fields[name] = contact[field]
  }
  return fields
}
