/**
 * Placeholders in texts, filled with a contact's fields: `{{name}}`, `{{firstName}}`, `{{phone}}`, `{{email}}`, each with an optional replacement for
 * contacts that lack the field: `{{firstName|there}}`. A placeholder inside a contact's field is not filled.
 */
import { Schema } from "effect"
import type { Contact } from "../../people/contacts/Contact.ts"

export const placeholderNames = ["name", "firstName", "phone", "email"] as const
export const PlaceholderName = Schema.Literals(placeholderNames)
export type PlaceholderName = typeof PlaceholderName.Type

export type PlaceholderContact = Pick<Contact, "name" | "phone" | "email">

/** A placeholder in a text, known or not. */
interface Gap {
  readonly name: string
  /** The replacement for a missing value. */
  readonly otherwise: string | undefined
}

const pattern = /\{\{([^{}]*)\}\}/g

const gapOf = (inside: string): Gap => {
  const [name, ...rest] = inside.split("|")
  return { name: name.trim(), otherwise: rest.length === 0 ? undefined : rest.join("|").trim() }
}

const gapsOf = (text: string): ReadonlyArray<Gap> => [...text.matchAll(pattern)].map(([, inside]) => gapOf(inside))

const isKnown = (name: string): name is PlaceholderName => placeholderNames.some((known) => known === name)

/** The names of the known placeholders in a text, each once. */
export const placeholdersIn = (text: string): ReadonlyArray<PlaceholderName> => [
  ...new Set(
    gapsOf(text)
      .map(({ name }) => name)
      .filter(isKnown)
  )
]

/** The sentence about an unknown placeholder; `undefined` when there is none. */
export const placeholderProblem = (text: string): string | undefined => {
  const strange = gapsOf(text).find(({ name }) => !isKnown(name))
  return strange === undefined
    ? undefined
    : `must not contain {{${strange.name.slice(0, 40)}}}: known are ${placeholderNames.map((name) => `{{${name}}}`).join(", ")}.`
}

const valueOf = ({ name, phone, email }: PlaceholderContact, gap: PlaceholderName): string | null => {
  switch (gap) {
    case "name":
      return name
    case "firstName":
      return name?.trim().split(/\s+/)[0] ?? null
    case "phone":
      return phone
    case "email":
      return email
  }
}

/** The text filled for this contact, or the placeholder for which the contact has no value. */
export const filled = (
  text: string,
  person: PlaceholderContact
): { readonly text: string } | { readonly missing: PlaceholderName } => {
  let missing: PlaceholderName | undefined
  const result = text.replace(pattern, (whole, inside: string) => {
    const { name, otherwise } = gapOf(inside)
    if (!isKnown(name)) return whole
    const value = valueOf(person, name)
    const present = value !== null && value.trim() !== "" ? value.trim() : otherwise
    if (present === undefined || present === "") missing ??= name
    return present ?? ""
  })
  return missing === undefined ? { text: result } : { missing }
}
