/** What a schema's problem says about a request, as a sentence for people who do not know the library. */
import { SchemaIssue } from "effect"
import type { HttpApiError } from "effect/http-api"

type SchemaError = Pick<InstanceType<typeof HttpApiError.HttpApiSchemaError>, "kind" | "cause">

const issues = SchemaIssue.makeFormatterStandardSchemaV1()

/** A readable form of a union of objects, which the library writes as TypeScript does: `{ readonly "type": "text", ... } | …`. */
const shapes = (expected: string): string | undefined => {
  const found = [...expected.matchAll(/\{ readonly "(\w+)": "([^"]+)", \.\.\. \}/g)]
  const [[, field] = []] = found
  return found.length < 2 || found.some(([, other]) => other !== field)
    ? undefined
    : `it must be an object whose ${field} is one of ${found.map(([, , value]) => value).join(", ")}`
}

/**
 * A number that JSON cannot hold is written as a text, which nobody means. For a text in place of a number the library names these texts alone.
 */
const isNumber = (expected: string): boolean => expected === '"Infinity" | "-Infinity" | "NaN"'

/** A readable form of a union of texts: `"OPEN" | "ASSIGNED"`. */
const texts = (expected: string): string | undefined =>
  /^"[^"]*"( \| "[^"]*")+$/.test(expected) && !isNumber(expected)
    ? `it must be one of ${expected.replaceAll('"', "").split(" | ").join(", ")}`
    : undefined

/** What one type is called. */
const named: Readonly<Record<string, string>> = {
  string: "a text",
  boolean: "true or false",
  number: "a number",
  object: "an object",
  array: "a list",
  null: "null"
}

/** What the library says of a value, and what people say. */
const sayings: ReadonlyArray<readonly [RegExp, string]> = [
  [/^an integer$/, "be a whole number"],
  [/^a finite number$/, "be a number"],
  [/^a value between (\S+) and (\S+)$/, "be from $1 to $2"],
  [/^a value greater than or equal to (\S+)$/, "be at least $1"],
  [/^a value less than or equal to (\S+)$/, "be at most $1"],
  [/^a value with a length of at most (\d+)$/, "have at most $1 entries or characters"],
  [/^a value with a length of at least (\d+)$/, "have at least $1 entries or characters"]
]

/** One alternative of a type, as the library writes it: `string`, `"Infinity"`, `{ … }`, `readonly array`. */
const alternative = (part: string): string | undefined => {
  // See `isNumber`.
  if (/^"(-?Infinity|NaN)"$/.test(part)) return undefined
  if (part.startsWith("{")) return "an object"
  const type = /^(?:readonly )?(string|boolean|number|object|array|null)\b/.exec(part)?.[1]
  return type === undefined ? part.replaceAll('"', "") : named[type]
}

const expectation = (expected: string): string => {
  const choice = shapes(expected) ?? texts(expected)
  if (choice !== undefined) return choice
  if (isNumber(expected)) return "it must be a number"
  if (expected.startsWith("{")) return "it must be an object"
  for (const [pattern, saying] of sayings)
    if (pattern.test(expected)) return `it must ${expected.replace(pattern, saying)}`
  const parts = expected.split(" | ").flatMap((part) => alternative(part.trim()) ?? [])
  return `it must be ${[...new Set(parts)].join(" or ")}`
}

/** Converts the library's message into the end of a sentence about the field. */
const readable = (problem: string): string => {
  const expected = /^Expected (.+)$/s.exec(problem)?.[1]
  if (expected !== undefined) return expectation(expected)
  if (problem === "Missing key") return "it is missing"
  return problem.startsWith("must ") ? `it ${problem}` : problem
}

const ended = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/** Whether the problem is a repeated query parameter: a parameter is text unless it is given twice. */
const repeated = (kind: string, problem: string): boolean => kind === "Query" && problem === "Expected string"

const places: Readonly<Record<string, string>> = { Params: "path", Headers: "headers", Query: "query", Payload: "body" }

/** A sentence that names the field and says what it must be. */
export const sentenceOf = ({ kind, cause }: SchemaError): string => {
  const [first] = issues(cause.issue).issues
  const path = (first?.path ?? []).map((part) => String(typeof part === "object" ? part.key : part)).join(".")
  const problem = first?.message ?? cause.message.split("\n")[0]
  const description = repeated(kind, problem) ? "it must be given once" : readable(problem)
  const subject = path === "" ? `The ${places[kind] ?? "request"}` : path
  return ended(`${subject} is invalid: ${description.slice(0, 1_000)}`)
}
