/**
 * JSON as it is stored and shown. `JsonRecord` accepts what `Schema.Json` accepts, but can be compiled. A record that contains `Schema.Json`
 * anywhere is checked by the interpreter instead, field by field.
 */
import { Predicate, Schema } from "effect"

const isJson = Schema.is(Schema.Json)
/** Tests for texts and null first, because most values are one of them. */
const isJsonValue = (value: unknown): boolean => typeof value === "string" || value === null || isJson(value)

const JsonValue: Schema.Codec<Schema.Json> = Schema.Any.check(
  Schema.makeFilter((value: unknown) => isJsonValue(value) || "must be a value of JSON.")
)

export const JsonRecord = Schema.Record(Schema.String, JsonValue)

export type JsonObject = { readonly [name: string]: Schema.Json }

/** Whether a value that is known to be JSON is an object. Does not look into its fields. */
export const isJsonObject = (value: unknown): value is JsonObject => Predicate.isObject(value)

/** The fields that have a value: those that are `undefined` are left out. */
export const present = (fields: Readonly<Record<string, Schema.Json | undefined>>): JsonObject => {
  const kept: Record<string, Schema.Json> = {}
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) kept[name] = value
  return kept
}

/** The value of a JSON text; `undefined` when the text is not JSON (no JSON value is undefined). */
export const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // For example a proxy's error page. The caller reports it.
    return undefined
  }
}

/** The same, with whole numbers that a `number` cannot hold as texts of their digits: ids of some providers are such. */
export const exactJson = (text: string): unknown => {
  const exact = (_key: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)
      ? (context?.source ?? value)
      : value
  try {
    return JSON.parse(text, exact)
  } catch {
    // The caller reports it.
    return undefined
  }
}

/** JSON with sorted keys: equal for equal values, whatever the order of their keys. A `jsonb` column does not keep that order. */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null"
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(",")}}`
}
