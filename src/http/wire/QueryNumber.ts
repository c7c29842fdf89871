/**
 * Numbers and yes-or-no in queries. A query is text, so the schemas decode text; `contentSchema` is what `/openapi.json` says of them instead
 * (`docs/SchemaDocs.ts`).
 */
import { Schema, SchemaTransformation } from "effect"

interface Bounds {
  readonly minimum: number
  readonly maximum: number
  /** What an absent parameter means. */
  readonly default?: number
}

const numberOf = (type: "integer" | "number", bounds: Bounds) =>
  Schema.String.annotate({ expected: "a number", contentSchema: { type, ...bounds } }).pipe(
    Schema.decodeTo(Schema.Number, SchemaTransformation.numberFromString)
  )

export const wholeNumber = (bounds: Bounds) =>
  numberOf("integer", bounds).check(Schema.isInt(), Schema.isBetween(bounds))

export const anyNumber = (bounds: Bounds) => numberOf("number", bounds).check(Schema.isBetween(bounds))

/** `true` or `false`; an absent parameter means `false`. */
export const yesOrNo = Schema.optionalKey(
  Schema.Literals(["true", "false"]).annotate({ contentSchema: { type: "boolean", default: false } })
)
