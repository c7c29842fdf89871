/** The components that fill a template's parameters, in the channel's form. In a broadcast they may have placeholders, filled for each contact. */
import { Schema } from "effect"
import type { Contact } from "../../people/contacts/Contact.ts"
import { filled, type PlaceholderName } from "./Placeholders.ts"

export const TemplateComponents = Schema.Array(Schema.Record(Schema.String, Schema.Json))
export type TemplateComponents = typeof TemplateComponents.Type

/** The value with `change` applied to every text in it, at any depth. */
const mapTexts = (value: Schema.Json, change: (text: string) => string): Schema.Json => {
  if (typeof value === "string") return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapTexts(item, change)]))
  return value
}

/** The texts of the parameters. Only they may have placeholders; names and types of components may not. */
export const parameterTexts = (given: TemplateComponents): ReadonlyArray<string> => {
  const texts: Array<string> = []
  for (const { parameters } of given)
    if (parameters !== undefined)
      mapTexts(parameters, (text) => {
        texts.push(text)
        return text
      })
  return texts
}

/**
 * The components filled for one contact, or the placeholder for which the contact has no value. Filled texts have no line breaks and no repeated
 * spaces, because the channel refuses them.
 */
export const personal = (
  given: TemplateComponents,
  contact: Pick<Contact, "name" | "phone" | "email">
): { readonly components: TemplateComponents } | { readonly missing: PlaceholderName } => {
  let missing: PlaceholderName | undefined
  const change = (text: string): string => {
    const result = filled(text, contact)
    if ("missing" in result) {
      missing ??= result.missing
      return text
    }
    return result.text === text ? text : result.text.replace(/\s+/g, " ").trim()
  }
  const made = given.map((component) =>
    component.parameters === undefined
      ? component
      : { ...component, parameters: mapTexts(component.parameters, change) }
  )
  return missing === undefined ? { components: made } : { missing }
}
