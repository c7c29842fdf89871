/** The properties of a page of Notion and our fields of a contact: which goes where, and their values in both directions. Pure. */
import { Schema } from "effect"
import type { ContactFields } from "../../domain/apps/ContactFields.ts"
import { type ToldField, toldFields } from "../../domain/apps/FieldMapping.ts"
import type { Contact } from "../../domain/people/contacts/Contact.ts"

const Text = Schema.Array(Schema.Struct({ plain_text: Schema.String }))
const Option = Schema.Struct({ name: Schema.String })

/** A property of a page, as far as we read it. Others have a type only. */
export const NotionValue = Schema.Struct({
  type: Schema.String,
  title: Schema.optionalKey(Text),
  rich_text: Schema.optionalKey(Text),
  phone_number: Schema.optionalKey(Schema.NullOr(Schema.String)),
  email: Schema.optionalKey(Schema.NullOr(Schema.String)),
  url: Schema.optionalKey(Schema.NullOr(Schema.String)),
  checkbox: Schema.optionalKey(Schema.Boolean),
  select: Schema.optionalKey(Schema.NullOr(Option)),
  multi_select: Schema.optionalKey(Schema.Array(Option))
})
export type NotionValue = typeof NotionValue.Type

/** A property of a data source: its name and type. */
export interface NotionProperty {
  readonly name: string
  readonly type: string
}
export type NotionMapping = Readonly<Partial<Record<ToldField, NotionProperty>>>

/** The types of properties that can hold each of our fields. */
const holders: Readonly<Record<ToldField, ReadonlyArray<string>>> = {
  id: ["rich_text", "title"],
  phone: ["phone_number", "rich_text"],
  name: ["title", "rich_text"],
  email: ["email", "rich_text"],
  tags: ["multi_select"],
  optedIn: ["checkbox"]
}
/** Whether a field of ours can go to a property of this type. */
export const isWritable = (type: string): boolean => Object.values(holders).some((types) => types.includes(type))

/** Without a mapping these fields go to the first property of the type. */
const usual: Readonly<Partial<Record<ToldField, string>>> = {
  name: "title",
  phone: "phone_number",
  email: "email",
  tags: "multi_select"
}

/** Which property each of our fields goes to, or why that cannot be, as a sentence. */
export const notionMapping = (properties: ReadonlyArray<NotionProperty>, setting: unknown): NotionMapping | string => {
  const given = typeof setting === "object" && setting !== null ? (setting as Readonly<Record<string, unknown>>) : {}
  const mapping: Partial<Record<ToldField, NotionProperty>> = {}
  for (const field of toldFields) {
    const name = given[field]
    const found =
      typeof name === "string"
        ? properties.find((property) => property.name === name)
        : properties.find(({ type }) => type === usual[field])
    if (name !== undefined && found === undefined) return `the database has no property ${String(name)}.`
    if (found !== undefined && !holders[field].includes(found.type))
      return `${field} needs a property of the type ${holders[field].join(" or ")}; ${found.name} is of the type ${found.type}.`
    if (found !== undefined) mapping[field] = found
  }
  const names = Object.values(mapping).map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  return twice === undefined ? mapping : `two fields go to the property ${twice}.`
}

/** Notion takes texts in parts of 2,000 characters. */
export const richText = (text: string): ReadonlyArray<{ readonly text: { readonly content: string } }> =>
  (text.match(/[\s\S]{1,1900}/g) ?? []).slice(0, 100).map((content) => ({ text: { content } }))

/** Names of options have no commas, and 100 characters at most. */
export const optionName = (tag: string): string => tag.replaceAll(",", " ").slice(0, 100)

const written = (type: string, value: Contact[ToldField]): unknown => {
  if (type === "multi_select") return (Array.isArray(value) ? value : []).map((tag) => ({ name: optionName(tag) }))
  if (type === "checkbox") return value === true
  const text = value === null ? "" : String(value)
  if (type === "title" || type === "rich_text") return richText(text)
  return text === "" ? null : text
}

/** These fields of a contact as properties of a page, by their names. */
export const notionProperties = (
  contact: Contact,
  mapping: NotionMapping,
  fields: ReadonlyArray<ToldField>
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const property = mapping[field]
      return property === undefined
        ? []
        : [[property.name, { [property.type]: written(property.type, contact[field]) }]]
    })
  )

const textOf = (value: NotionValue): string | null => {
  const parts = value.title ?? value.rich_text
  const text =
    parts === undefined
      ? (value.phone_number ?? value.email ?? value.url ?? value.select?.name ?? "")
      : parts.map(({ plain_text }) => plain_text).join("")
  return text.trim() === "" ? null : text.trim()
}

/** The fields of a contact that a page tells. */
export const notionFields = (
  properties: Readonly<Record<string, NotionValue>>,
  mapping: NotionMapping
): Partial<ContactFields> => {
  const value = (field: ToldField) => {
    const property = mapping[field]
    return property === undefined ? undefined : properties[property.name]
  }
  const [phone, name, email, tags] = [value("phone"), value("name"), value("email"), value("tags")]
  return {
    ...(phone === undefined ? {} : { phone: textOf(phone) }),
    ...(name === undefined ? {} : { name: textOf(name) }),
    ...(email === undefined ? {} : { email: textOf(email) }),
    ...(tags === undefined ? {} : { tags: (tags.multi_select ?? []).map((option) => option.name) })
  }
}
