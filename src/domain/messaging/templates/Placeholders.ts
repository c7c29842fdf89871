/**
 * Gaps in texts that are filled from a contact: `{{name}}`, `{{firstName}}`, `{{phone}}`, `{{email}}`, each with an optional replacement for
 * contacts that lack it: `{{firstName|there}}`. What a contact's fields contain is never read as a gap itself.
 */
import { Schema } from "effect"
import type { Contact } from "../../people/contacts/Contact.ts"

export const placeholderNames = ["name", "firstName", "phone", "email"] as const
export const PlaceholderName = Schema.Literals(placeholderNames)
export type PlaceholderName = typeof PlaceholderName.Type

export type PlaceholderContact = Pick<Contact, "name" | "phone" | "email">

interface Gap {
  readonly name: string
  /** What takes the place of a value that is missing. */
  readonly otherwise: string | undefined
}

const pattern = /\{\{([^{}]*)\}\}/g

const gapOf = (inside: string): Gap => {
  const [name, ...rest] = inside.split("|")
  return { name: name.trim(), otherwise: rest.length === 0 ? undefined : rest.join("|").trim() }
}

const gapsOf = (text: string): ReadonlyArray<Gap> => [...text.matchAll(pattern)].map(([, inside]) => gapOf(inside))

const isKnown = (name: string): name is PlaceholderName => placeholderNames.some((known) => known === name)

/** Names of the gaps, each once. */
export const placeholdersIn = (text: string): ReadonlyArray<PlaceholderName> => [
  ...new Set(
    gapsOf(text)
      .map(({ name }) => name)
      .filter(isKnown)
  )
]

/** The sentence about a gap that nothing can fill; `undefined` when there is none. */
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

/** The text for this contact, or the name of what the contact lacks. */
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
