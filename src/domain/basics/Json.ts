/**
 * JSON as it is stored and shown. Says what `Schema.Json` says; but that one cannot be compiled, and a record that has it anywhere within is
 * then looked at by the interpreter, field by field.
 */
import { Predicate, Schema } from "effect"

const isJson = Schema.is(Schema.Json)
/** Most values are texts and nulls. */
const isJsonValue = (value: unknown): boolean => typeof value === "string" || value === null || isJson(value)

const JsonValue: Schema.Codec<Schema.Json> = Schema.Any.check(
  Schema.makeFilter((value: unknown) => isJsonValue(value) || "must be a value of JSON.")
)

export const JsonRecord = Schema.Record(Schema.String, JsonValue)

export type JsonObject = { readonly [name: string]: Schema.Json }

/** For what is known to be JSON: looks no further than the object itself. */
export const isJsonObject = (value: unknown): value is JsonObject => Predicate.isObject(value)

/** The fields that are there. */
export const present = (fields: Readonly<Record<string, Schema.Json | undefined>>): JsonObject => {
  const kept: Record<string, Schema.Json> = {}
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) kept[name] = value
  return kept
}

/** What the text says, `undefined` when it is no JSON (nothing in JSON is undefined). */
export const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // A proxy's page, for example; whoever reads it says what is wrong with it.
    return undefined
  }
}
