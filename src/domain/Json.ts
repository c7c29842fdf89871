/**
 * JSON as it is stored and shown. Says what `Schema.Json` says; but that one cannot be compiled, and a record that has it anywhere within is
 * then looked at by the interpreter, field by field.
 */
import { Schema } from "effect"

const isJson = Schema.is(Schema.Json)
/** Most values are texts and nulls. */
const isJsonValue = (value: unknown): boolean => typeof value === "string" || value === null || isJson(value)

const JsonValue: Schema.Codec<Schema.Json> = Schema.Any.check(
  Schema.makeFilter((value: unknown) => isJsonValue(value) || "must be a value of JSON.")
)

export const JsonRecord = Schema.Record(Schema.String, JsonValue)
