/**
 * Schemas of arguments and results as JSON Schema. Those of arguments keep to the words that the strict modes of all large model providers take: what
 * else a schema checks is said in its description, and checked here.
 */
import { z } from "zod"
import { nearestName } from "../../wire/NearestName.ts"

export type JsonSchema = Readonly<Record<string, unknown>>

/** The words of JSON Schema in the schemas of arguments. */
const common = new Set(["type", "properties", "required", "additionalProperties", "items", "enum", "description"])

/** The strict form: only common words. */
const strict = (schema: unknown): unknown => {
  if (Array.isArray(schema) || typeof schema !== "object" || schema === null) return schema
  const kept = Object.entries(schema).filter(([word]) => common.has(word))
  return Object.fromEntries(
    kept.map(([word, value]) => {
      if (word === "properties")
        return [word, Object.fromEntries(Object.entries(value).map(([name, property]) => [name, strict(property)]))]
      return [word, word === "items" ? strict(value) : value]
    })
  )
}

export const argumentsSchema = (input: z.ZodObject): JsonSchema => {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: "input" })
  return strict(schema) as JsonSchema
}

/** Zod gives every whole number the bounds of exact numbers, which tell a reader nothing. */
export const resultSchema = (output: z.ZodObject): JsonSchema => {
  const { $schema: _, ...schema } = z.toJSONSchema(output, {
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    }
  })
  return schema
}

/** Clients whose models must name every argument send null for those that they leave out. */
const withoutNulls = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== null)
      .map(([name, field]) => [name, withoutNulls(field)])
  )
}

const kinds: Readonly<Record<string, string>> = {
  string: "a text",
  int: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object"
}

const bound = (origin: string, limit: unknown, least: boolean): string => {
  const side = least ? "at least" : "at most"
  if (origin === "string") return `it must have ${side} ${limit} characters`
  return origin === "array" ? `it must have ${side} ${limit} entries` : `it must be ${side} ${limit}`
}

type Issue = z.core.$ZodIssue

const problemOf = (issue: Issue, isMissing: boolean): string => {
  switch (issue.code) {
    case "invalid_type":
      return isMissing ? "it is missing" : `it must be ${kinds[issue.expected] ?? issue.expected}`
    case "too_big":
      return bound(issue.origin, issue.maximum, false)
    case "too_small":
      return bound(issue.origin, issue.minimum, true)
    case "invalid_value":
      return `it must be one of ${issue.values.join(", ")}`
    default:
      return `it ${issue.message}`
  }
}

const valueAt = (value: unknown, path: ReadonlyArray<PropertyKey>): unknown =>
  path.reduce<unknown>((at, name) => (typeof at === "object" && at !== null ? Reflect.get(at, name) : undefined), value)

const fieldsOf = (schema: z.ZodObject): ReadonlyArray<string> => Object.keys(schema.shape)

const sentence = (input: z.ZodObject, args: unknown, issue: Issue): string => {
  if (issue.code === "unrecognized_keys") {
    const [name] = issue.keys
    const near = issue.path.length === 0 ? nearestName(name, fieldsOf(input)) : undefined
    const meant = near === undefined ? `There are ${fieldsOf(input).join(", ")}.` : `Did you mean ${near}?`
    return `There is no argument ${[...issue.path, name].map(String).join(".").slice(0, 100)}. ${meant}`
  }
  if (issue.path.length === 0) return "The arguments must be an object."
  const isMissing = valueAt(args, issue.path) === undefined
  return `${issue.path.map(String).join(".")} is invalid: ${problemOf(issue, isMissing)}.`
}

/** The arguments of a call, or a sentence that names the first one that is wrong. */
export const readArguments = <I extends z.ZodObject>(
  input: I,
  args: unknown
): { readonly value: z.output<I> } | { readonly problem: string } => {
  const given = withoutNulls(args ?? {})
  const read = input.safeParse(given)
  return read.success ? { value: read.data } : { problem: sentence(input, given, read.error.issues[0]) }
}
