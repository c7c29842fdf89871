/** Custom fields: what an organization keeps of its records beyond the fields that everybody has. It defines them for each module. */
import { Schema } from "effect"
import { isDate } from "../../basics/Calendar.ts"
import { oneLine, plainText } from "../../basics/PlainText.ts"
import { Module } from "./Module.ts"

const Key = Schema.String.check(
  Schema.makeFilter(
    (text: string) =>
      /^[a-z][a-zA-Z0-9_]{0,39}$/.test(text) || "must be 1 to 40 letters, digits and _, beginning with a small letter."
  )
)

export const CustomField = Schema.Struct({
  key: Key,
  label: plainText(80),
  type: Schema.Literals(["text", "number", "boolean", "date", "choice"]),
  /** The values of a `choice`. */
  choices: Schema.optionalKey(
    Schema.Array(plainText(80)).check(Schema.isMinLength(1), Schema.isMaxLength(100), Schema.isUnique())
  )
})
export type CustomField = typeof CustomField.Type

export const CustomFields = Schema.Struct({ module: Module, fields: Schema.Array(CustomField) }).annotate({
  title: "CustomFields",
  examples: [
    {
      module: "companies",
      fields: [
        { key: "industry", label: "Industry", type: "choice", choices: ["School", "Library", "Shop"] },
        { key: "since", label: "Customer since", type: "date" }
      ]
    }
  ]
})
export type CustomFields = typeof CustomFields.Type

const repeated = (fields: ReadonlyArray<CustomField>) =>
  fields.find(({ key }, index) => fields.findIndex((other) => other.key === key) !== index)?.key

const fieldsProblem = (fields: ReadonlyArray<CustomField>): string | undefined => {
  const twice = repeated(fields)
  if (twice !== undefined) return `must not define "${twice}" twice.`
  const wrong = fields.find(({ type, choices }) => (type === "choice") !== (choices !== undefined))
  return wrong === undefined
    ? undefined
    : `must give "${wrong.key}" ${wrong.type === "choice" ? "its choices." : "no choices, or the type choice."}`
}

/** All custom fields of a module. Values of fields that are no longer defined stay stored and are not shown. */
export const NewCustomFields = Schema.Struct({
  module: Module,
  fields: Schema.Array(CustomField).check(
    Schema.isMaxLength(50),
    Schema.makeFilter((fields: ReadonlyArray<CustomField>) => fieldsProblem(fields) ?? true)
  )
}).annotate({
  title: "NewCustomFields",
  examples: [{ module: "companies", fields: [{ key: "since", label: "Customer since", type: "date" }] }]
})

/** The values of custom fields by their keys; null is none. */
export const CustomValues = Schema.Record(
  Schema.String.check(Schema.isMaxLength(40)),
  Schema.NullOr(Schema.Union([oneLine(1_000), Schema.Finite, Schema.Boolean]))
).check(Schema.isMaxProperties(50))
export type CustomValues = typeof CustomValues.Type

const fits: Readonly<Record<CustomField["type"], (value: unknown, field: CustomField) => string | undefined>> = {
  text: (value) => (typeof value === "string" ? undefined : "must be a text"),
  number: (value) => (typeof value === "number" ? undefined : "must be a number"),
  boolean: (value) => (typeof value === "boolean" ? undefined : "must be true or false"),
  date: (value) => (typeof value === "string" && isDate(value) ? undefined : "must be a date like 2026-11-25"),
  choice: (value, { choices = [] }) =>
    choices.some((choice) => choice === value) ? undefined : `must be one of ${choices.join(", ")}`
}

/** Why these values do not fit the definitions; `undefined` when they do. */
export const customProblem = (fields: ReadonlyArray<CustomField>, values: CustomValues): string | undefined => {
  for (const [key, value] of Object.entries(values)) {
    const field = fields.find((defined) => defined.key === key)
    if (field === undefined) {
      const known = fields.map((defined) => defined.key).join(", ")
      return `customFields.${key} is not defined: ${known === "" ? "no custom fields are" : `the fields are ${known}`}.`
    }
    const problem = value === null ? undefined : fits[field.type](value, field)
    if (problem !== undefined) return `customFields.${key} is invalid: it ${problem}.`
  }
  return undefined
}

/** The values that are defined, without nulls. */
export const shownValues = (fields: ReadonlyArray<CustomField>, values: CustomValues): CustomValues =>
  Object.fromEntries(
    Object.entries(values).filter(([key, value]) => value !== null && fields.some((field) => field.key === key))
  )
