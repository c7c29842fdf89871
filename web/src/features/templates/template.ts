/** Templates of the channel: their gaps, what fills them, and what they say. Pure. */
import type { NewBroadcast, Template } from "@parley/client"
import { message, t } from "../../lib/i18n.ts"
import { fieldsOf, listOf, textOf } from "../../lib/record.ts"

export interface Gap {
  readonly key: string
  readonly label: string
  readonly slot: Template["parameters"][number]
  readonly name: string | undefined
}

/** What is in the gaps, by their keys. */
export type Filled = Readonly<Record<string, string>>

export type Components = NonNullable<NewBroadcast["components"]>

/** A person fills texts, codes and payloads in; files and places are for programs. */
const fillable = new Set(["text", "payload", "coupon_code"])

export const canBeFilled = (template: Template): boolean =>
  template.parameters.every(({ required, format }) => !required || fillable.has(format))

export const gapsOf = ({ parameters }: Template): ReadonlyArray<Gap> =>
  parameters
    .filter(({ format }) => fillable.has(format))
    .flatMap((slot) =>
      Array.from({ length: slot.count }, (_, at): Gap => {
        const name = slot.names?.[at]
        const part = slot.type === "header" ? t("Header") : slot.type === "button" ? t("Button") : t("Text")
        return { key: `${slot.type}-${slot.index ?? ""}-${at}`, label: `${part} · ${name ?? at + 1}`, slot, name }
      })
    )

export const isWhole = (gaps: ReadonlyArray<Gap>, values: Filled): boolean =>
  gaps.every(({ key }) => (values[key] ?? "").trim() !== "")

/** The filled gaps as a message brings them. */
export const componentsOf = (gaps: ReadonlyArray<Gap>, values: Filled): Components => {
  const slots = [...new Set(gaps.map(({ slot }) => slot))]
  const parameter = ({ slot, name, key }: Gap) => {
    const text = values[key] ?? ""
    if (slot.format === "coupon_code") return { type: "coupon_code", coupon_code: text }
    if (slot.format === "payload") return { type: "payload", payload: text }
    return { type: "text", text, ...(name === undefined ? {} : { parameter_name: name }) }
  }
  return slots.map((slot) => ({
    type: slot.type,
    ...(slot.type === "button" ? { sub_type: slot.subType, index: slot.index } : {}),
    parameters: gaps.filter((gap) => gap.slot === slot).map(parameter)
  })) as Components
}

/** The values of one part of the template, by the names of its gaps. */
const namesOf = (gaps: ReadonlyArray<Gap>, values: Filled, type: "header" | "body"): Filled =>
  Object.fromEntries(
    gaps
      .filter(({ slot }) => slot.type === type)
      .map(({ key, name }, at) => [name ?? String(at + 1), values[key] ?? ""])
  )

const filledIn = (text: string, values: Filled): string =>
  text.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => values[name] || whole)

/** What arrives: the parts of a template, with these values in its gaps. */
export interface Parts {
  /** A text, or what stands there instead: `IMAGE`. */
  readonly header: string | undefined
  readonly isFile: boolean
  readonly body: string
  readonly footer: string | undefined
  readonly buttons: ReadonlyArray<string>
}

export const partsOf = (template: Template, values: Filled = {}): Parts => {
  const gaps = gapsOf(template)
  const part = (wanted: string) =>
    fieldsOf(listOf(template.components).find(({ type }) => textOf(type)?.toLowerCase() === wanted))
  const header = part("header")
  const format = textOf(header.format)?.toUpperCase()
  const isFile = format !== undefined && format !== "TEXT"
  const text = textOf(header.text)
  return {
    header: isFile ? format : text && filledIn(text, namesOf(gaps, values, "header")),
    isFile,
    body: filledIn(textOf(part("body").text) ?? "", namesOf(gaps, values, "body")),
    footer: textOf(part("footer").text),
    buttons: listOf(part("buttons").buttons).flatMap((button) => textOf(button.text) ?? [])
  }
}

export const bodyOf = (template: Template): string => partsOf(template).body

/** Those that answer are wanted more often than those that advertise. */
const categoryOrder = ["utility", "authentication", "marketing"]

/** Those that can be sent, the most likely first: in one's own language, an answer rather than an advertisement, with few gaps to fill. `language`: that of the person who writes, such as `en`. */
export const fitting = (templates: ReadonlyArray<Template>, language: string): ReadonlyArray<Template> => {
  const rank = ({ category, language: of }: Template) => {
    const at = categoryOrder.indexOf(category.toLowerCase())
    return (of.toLowerCase().startsWith(language) ? 0 : 10) + (at < 0 ? categoryOrder.length : at)
  }
  const gaps = ({ parameters }: Template) => parameters.reduce((sum, { count }) => sum + count, 0)
  return templates
    .filter((one) => one.status.toUpperCase() === "APPROVED" && canBeFilled(one))
    .toSorted((a, b) => rank(a) - rank(b) || gaps(a) - gaps(b) || (a.name < b.name ? -1 : 1))
}

const states: Readonly<Record<string, readonly [string, "good" | "warn" | "danger" | "plain"]>> = {
  APPROVED: [message("Approved"), "good"],
  PENDING: [message("In review"), "warn"],
  IN_APPEAL: [message("In review"), "warn"],
  REJECTED: [message("Rejected"), "danger"],
  PAUSED: [message("Paused by WhatsApp"), "warn"],
  DISABLED: [message("Switched off by WhatsApp"), "danger"],
  REMOVED: [message("Removed at WhatsApp"), "plain"]
}

/** The channel's word for the state of a template, in ours; words that are not known stay as they are. */
export const stateOf = ({ status }: Pick<Template, "status">) => {
  const [name, tone] = states[status.toUpperCase()] ?? [undefined, "plain" as const]
  return { name: name === undefined ? status : t(name), tone }
}

const categoryNames: Readonly<Record<string, string>> = {
  UTILITY: message("Utility"),
  MARKETING: message("Marketing"),
  AUTHENTICATION: message("Authentication")
}
export const categoryName = ({ category }: Pick<Template, "category">): string => {
  const known = categoryNames[category.toUpperCase()]
  return known === undefined ? category : t(known)
}
