/**
 * The slots of a template, read from its components: what a message must give for the header, the body and each button. Placeholders are numbered
 * (`{{1}}`) or named (`{{order_id}}`); a template has only one of the two kinds.
 */
import { Predicate, Schema } from "effect"

export const SlotFormat = Schema.Literals([
  "text",
  "image",
  "video",
  "document",
  "location",
  "payload",
  "coupon_code",
  "action"
])
export type SlotFormat = typeof SlotFormat.Type

/** A slot. The component of a message that fills it has the same `type`, and for a button the same `subType` and `index`. */
export const TemplateSlot = Schema.Struct({
  type: Schema.Literals(["header", "body", "button"]),
  /** For a button: `url`, `quick_reply`, `copy_code`, `flow`, `catalog` …; null otherwise. */
  subType: Schema.NullOr(Schema.String),
  /** For a button: its position, from 0; null otherwise. */
  index: Schema.NullOr(Schema.Int),
  format: SlotFormat,
  /** The number of parameters. */
  count: Schema.Int,
  /** The names of the parameters in their order; null when they are numbered. */
  names: Schema.NullOr(Schema.Array(Schema.String)),
  /** Whether the message must fill it. */
  required: Schema.Boolean
})
export type TemplateSlot = typeof TemplateSlot.Type

/** The fields of a component, a parameter or a button. */
export type Fields = Readonly<Record<string, unknown>>

const textOf = (value: unknown): string => (typeof value === "string" ? value : "")
export const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** Each placeholder once, in the order of its first appearance. */
export const placeholdersOf = (text: string): ReadonlyArray<string> => [
  ...new Set([...text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, name]) => name))
]

const plain = { subType: null, index: null, names: null, required: true }

const texts = (type: "header" | "body", text: string): ReadonlyArray<TemplateSlot> => {
  const found = placeholdersOf(text)
  if (found.length === 0) return []
  const counted = found.every((name) => /^\d+$/.test(name))
  return [{ ...plain, type, format: "text", count: found.length, names: counted ? null : found }]
}

const headerSlots = (component: Fields): ReadonlyArray<TemplateSlot> => {
  const format = textOf(component.format).toLowerCase()
  if (format === "image" || format === "video" || format === "document" || format === "location")
    return [{ ...plain, type: "header", format, count: 1 }]
  return texts("header", textOf(component.text))
}

const buttonSlot = (button: unknown, index: number): ReadonlyArray<TemplateSlot> => {
  if (!Predicate.isObject(button)) return []
  const kind = textOf(button.type).toUpperCase()
  const slot = (subType: string, format: SlotFormat, required: boolean): ReadonlyArray<TemplateSlot> => [
    { ...plain, type: "button", subType, index, format, count: 1, required }
  ]
  switch (kind) {
    case "URL":
      return placeholdersOf(textOf(button.url)).length === 0 ? [] : slot("url", "text", true)
    // The button of an authentication message: the channel wants the code for it, too.
    case "OTP":
      return slot("url", "text", true)
    case "COPY_CODE":
      return slot("copy_code", "coupon_code", true)
    case "QUICK_REPLY":
      return slot("quick_reply", "payload", false)
    case "FLOW":
    case "CATALOG":
    case "MPM":
      return slot(kind.toLowerCase(), "action", false)
    default:
      return []
  }
}

/** The slots of `components` as the channel lists them. An unknown component has no slot: only the channel can check it. */
export const slotsOf = (components: ReadonlyArray<unknown>): ReadonlyArray<TemplateSlot> =>
  components.filter(Predicate.isObject).flatMap((component) => {
    switch (textOf(component.type).toUpperCase()) {
      case "HEADER":
        return headerSlots(component)
      case "BODY":
        // The channel writes the text of an authentication template itself; it has one parameter, the code.
        return component.text === undefined && component.add_security_recommendation !== undefined
          ? [{ ...plain, type: "body" as const, format: "text" as const, count: 1 }]
          : texts("body", textOf(component.text))
      case "BUTTONS":
        return listOf(component.buttons).flatMap(buttonSlot)
      default:
        return []
    }
  })
