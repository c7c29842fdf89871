/** Answers a request that does not match its endpoint's schema with 400 and a sentence that names the field. */
import { Effect, Layer, SchemaIssue } from "effect"
import { type HttpApiError, HttpApiMiddleware } from "effect/http-api"
import { BadRequest } from "../wire/Errors.ts"
import { withStorableBody } from "../wire/StorableBody.ts"

export class Decoding extends HttpApiMiddleware.Service<Decoding>()("parley/http/Decoding", { error: BadRequest }) {}

const issues = SchemaIssue.makeFormatterStandardSchemaV1()

type SchemaError = InstanceType<typeof HttpApiError.HttpApiSchemaError>

/** A readable form of a union of objects, which the library writes as TypeScript does: `{ readonly "type": "text", ... } | …`. */
const shapes = (expected: string): string | undefined => {
  const found = [...expected.matchAll(/\{ readonly "(\w+)": "([^"]+)", \.\.\. \}/g)]
  const [[, field] = []] = found
  return found.length < 2 || found.some(([, other]) => other !== field)
    ? undefined
    : `it must be an object whose ${field} is one of ${found.map(([, , value]) => value).join(", ")}`
}

/** A readable form of a union of texts: `"OPEN" | "ASSIGNED"`. */
const texts = (expected: string): string | undefined =>
  /^"[^"]*"( \| "[^"]*")+$/.test(expected)
    ? `it must be one of ${expected.replaceAll('"', "").split(" | ").join(", ")}`
    : undefined

/** Converts the library's message into the end of a sentence about the field. */
const readable = (problem: string): string => {
  const expected = /^Expected (.+)$/s.exec(problem)?.[1]
  if (expected !== undefined) {
    const choice = shapes(expected) ?? texts(expected)
    if (choice !== undefined) return choice
    const type = /^(string|boolean|number|object|array)\b/.exec(expected)?.[1]
    // The library writes objects with several fields as TypeScript types.
    if (type === "object" || expected.startsWith("{")) return "it must be an object"
    return `it must be ${type === undefined ? "" : type === "array" ? "an " : "a "}${expected}`
  }
  if (problem === "Missing key") return "it is missing"
  return problem.startsWith("must ") ? `it ${problem}` : problem
}

const ended = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/** Whether the problem is a repeated query parameter: a parameter is text unless it is given twice. */
const repeated = (kind: string, problem: string): boolean => kind === "Query" && problem === "Expected string"

const sentence = ({ kind, cause }: SchemaError): string => {
  const [first] = issues(cause.issue).issues
  const path = (first?.path ?? []).map((part) => String(typeof part === "object" ? part.key : part)).join(".")
  const problem = first?.message ?? cause.message.split("\n")[0]
  const where = { Params: "path", Headers: "headers", Query: "query", Payload: "body" }[kind as string] ?? "request"
  const description = repeated(kind, problem) ? "it must be given once" : readable(problem)
  return ended(`${path === "" ? `The ${where}` : path} is invalid: ${description.slice(0, 1_000)}`)
}

/** The groups whose bodies come from providers and the other role. Text in them is accepted as it is, and cleaned where it is stored. */
const unchecked: ReadonlySet<string> = new Set(["callbacks", "engine", "messagingWebhooks", "telephony"])

const explaining = HttpApiMiddleware.layerSchemaErrorTransform(Decoding, (error) =>
  // An answer of ours that does not match its schema is a defect.
  error.kind === "Body" || error.kind === "ResponseHeaders"
    ? Effect.die(error)
    : Effect.fail(new BadRequest({ error: sentence(error) }))
)

export const layer: Layer.Layer<Decoding> = Layer.effect(
  Decoding,
  Effect.map(
    Decoding,
    (explain) => (handler, options) =>
      unchecked.has(options.group.identifier) ? explain(handler, options) : withStorableBody(explain(handler, options))
  )
).pipe(Layer.provide(explaining))
