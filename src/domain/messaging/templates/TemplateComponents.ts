/** What fills the places of a template, as the channel takes it; in a broadcast with placeholders, which become each contact's own. */
import { Schema } from "effect"
import type { Contact } from "../../people/contacts/Contact.ts"
import { filled, type PlaceholderName } from "./Placeholders.ts"

export const TemplateComponents = Schema.Array(Schema.Record(Schema.String, Schema.Json))
export type TemplateComponents = typeof TemplateComponents.Type

/** Every text inside, changed; stops at the first that cannot be. */
const mapTexts = (value: Schema.Json, change: (text: string) => string): Schema.Json => {
  if (typeof value === "string") return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapTexts(item, change)]))
  return value
}

/** The texts of the parameters, which may have placeholders; names and types of components may not. */
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

/** The components for one contact, or what the contact lacks. The channel takes no line breaks and no wide gaps in them. */
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
