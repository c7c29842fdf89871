/** What stands in the form of a record: texts, until it is sent. */
import type { CustomFieldsField } from "@parley/client"
import { amountOf, decimalOf } from "../../lib/money.ts"
import { type Fields, fieldsOf, listOf, numberOf, textOf } from "../../lib/record.ts"
import type { Field, ModuleRecord } from "./modules.ts"

export interface Line {
  readonly productId: string | null
  readonly sku: string
  readonly name: string
  readonly quantity: string
  readonly unitPrice: string
  readonly tax: string
}

export interface Draft {
  readonly texts: Readonly<Record<string, string>>
  readonly ids: Readonly<Record<string, ReadonlyArray<string>>>
  readonly lines: ReadonlyArray<Line>
  /** By key; a checkbox is `true` or `false`, and empty is no value. */
  readonly custom: Readonly<Record<string, string>>
}

export const emptyLine: Line = { productId: null, sku: "", name: "", quantity: "1", unitPrice: "", tax: "" }

const usualCurrency = "USD"

/** The currency of the whole record. */
export const currencyOf = ({ texts }: Draft): string => (texts.currency ?? usualCurrency).trim().toUpperCase()

const decimal = (value: unknown, currency: string): string => {
  const amount = numberOf(value)
  return amount === undefined || amount === 0 ? "" : decimalOf(amount, currency)
}

const textIn = (field: Field, values: Fields, currency: string): ReadonlyArray<readonly [string, string]> => {
  const value = values[field.name]
  if (field.type === "price") {
    const price = fieldsOf(value)
    const of = textOf(price.currency) ?? usualCurrency
    const amount = numberOf(price.amount)
    return [
      [field.name, amount === undefined ? "" : decimalOf(amount, of)],
      [`${field.name} currency`, of]
    ]
  }
  if (field.type === "amount") return [[field.name, decimal(value, currency)]]
  if (field.type === "currency") return [[field.name, currency]]
  if (field.type === "choice") return [[field.name, textOf(value) ?? field.choices?.[0]?.[0] ?? ""]]
  return [[field.name, typeof value === "number" ? String(value) : (textOf(value) ?? "")]]
}

export const draftOf = (
  fields: ReadonlyArray<Field>,
  custom: ReadonlyArray<CustomFieldsField>,
  record: ModuleRecord | undefined
): Draft => {
  const values = fieldsOf(record)
  const currency = textOf(values.currency) ?? usualCurrency
  const ofCustom = fieldsOf(values.customFields)
  return {
    texts: Object.fromEntries(
      fields
        .filter(({ type }) => type !== "lines" && type !== "one" && type !== "many")
        .flatMap((field) => textIn(field, values, currency))
    ),
    ids: Object.fromEntries(
      fields.flatMap(({ name, type }) => {
        if (type !== "one" && type !== "many") return []
        const value = values[name]
        const list = Array.isArray(value) ? value : [value]
        return [[name, list.filter((id): id is string => typeof id === "string")]]
      })
    ),
    lines:
      record === undefined
        ? [emptyLine]
        : listOf(values.lines).map((line) => ({
            productId: textOf(line.productId) ?? null,
            sku: textOf(line.sku) ?? "",
            name: textOf(line.name) ?? "",
            quantity: String(line.quantity ?? 1),
            unitPrice: decimal(line.unitPrice, currency),
            tax: decimal(line.tax, currency)
          })),
    custom: Object.fromEntries(custom.map(({ key }) => [key, ofCustom[key] == null ? "" : String(ofCustom[key])]))
  }
}

const orNull = (text: string | undefined): string | null => {
  const kept = (text ?? "").trim()
  return kept === "" ? null : kept
}

const bodyLine = (line: Line, currency: string) => ({
  ...(line.productId === null ? {} : { productId: line.productId }),
  ...(orNull(line.sku) === null ? {} : { sku: line.sku.trim() }),
  ...(orNull(line.name) === null ? {} : { name: line.name.trim() }),
  quantity: Number(line.quantity),
  ...(orNull(line.unitPrice) === null ? {} : { unitPrice: amountOf(line.unitPrice, currency) }),
  ...(orNull(line.tax) === null ? {} : { tax: amountOf(line.tax, currency) })
})

const valueOf = (field: Field, draft: Draft): unknown => {
  const { name, type, required } = field
  const text = orNull(draft.texts[name])
  const currency = currencyOf(draft)
  if (type === "many") return draft.ids[name] ?? []
  if (type === "one") return draft.ids[name]?.[0] ?? null
  if (type === "lines") return draft.lines.map((line) => bodyLine(line, currency))
  if (type === "amount") return text === null ? 0 : amountOf(text, currency)
  if (type === "currency") return currency
  if (type === "integer") return text === null ? null : Number(text)
  if (type === "price") {
    const of = (draft.texts[`${name} currency`] ?? usualCurrency).trim().toUpperCase()
    return text === null ? null : { amount: amountOf(text, of), currency: of }
  }
  return required === true ? (text ?? "") : text
}

const customValue = ({ type }: CustomFieldsField, text: string): string | number | boolean | null => {
  if (text.trim() === "") return null
  if (type === "number") return Number(text)
  return type === "boolean" ? text === "true" : text.trim()
}

/** What is sent: all fields of a new record, of a known one those that may change. */
export const bodyOf = (
  fields: ReadonlyArray<Field>,
  custom: ReadonlyArray<CustomFieldsField>,
  draft: Draft,
  isNew: boolean
): object => ({
  ...Object.fromEntries(
    fields.filter(({ once }) => isNew || once !== true).map((field) => [field.name, valueOf(field, draft)])
  ),
  ...(custom.length === 0
    ? {}
    : {
        customFields: Object.fromEntries(
          custom.map((field) => [field.key, customValue(field, draft.custom[field.key] ?? "")])
        )
      })
})
