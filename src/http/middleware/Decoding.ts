/** A request that does not fit its endpoint's schema: 400 with a sentence that names the field. */
import { Effect, Layer, SchemaIssue } from "effect"
import { type HttpApiError, HttpApiMiddleware } from "effect/http-api"
import { BadRequest } from "../wire/Errors.ts"
import { withStorableBody } from "../wire/StorableBody.ts"

export class Decoding extends HttpApiMiddleware.Service<Decoding>()("parley/http/Decoding", { error: BadRequest }) {}

const issues = SchemaIssue.makeFormatterStandardSchemaV1()

type SchemaError = InstanceType<typeof HttpApiError.HttpApiSchemaError>

/** The library writes a choice of shapes as TypeScript does: `{ readonly "type": "text", ... } | …`. */
const shapes = (expected: string): string | undefined => {
  const found = [...expected.matchAll(/\{ readonly "(\w+)": "([^"]+)", \.\.\. \}/g)]
  const [[, field] = []] = found
  return found.length < 2 || found.some(([, other]) => other !== field)
    ? undefined
    : `it must be an object whose ${field} is one of ${found.map(([, , value]) => value).join(", ")}`
}

/** A choice of texts: `"OPEN" | "ASSIGNED"`. */
const texts = (expected: string): string | undefined =>
  /^"[^"]*"( \| "[^"]*")+$/.test(expected)
    ? `it must be one of ${expected.replaceAll('"', "").split(" | ").join(", ")}`
    : undefined

/** The library's words as the end of a sentence about the field. */
const readable = (problem: string): string => {
  const expected = /^Expected (.+)$/s.exec(problem)?.[1]
  if (expected !== undefined) {
    const choice = shapes(expected) ?? texts(expected)
    if (choice !== undefined) return choice
    const type = /^(string|boolean|number|object|array)\b/.exec(expected)?.[1]
    // Shapes with several fields are written out by the library as types of TypeScript.
    if (type === "object" || expected.startsWith("{")) return "it must be an object"
    return `it must be ${type === undefined ? "" : type === "array" ? "an " : "a "}${expected}`
  }
  if (problem === "Missing key") return "it is missing"
  return problem.startsWith("must ") ? `it ${problem}` : problem
}

const ended = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/** Whatever stands in a query is text, unless it stands there twice. */
const repeated = (kind: string, problem: string): boolean => kind === "Query" && problem === "Expected string"

const sentence = ({ kind, cause }: SchemaError): string => {
  const [first] = issues(cause.issue).issues
  const path = (first?.path ?? []).map((part) => String(typeof part === "object" ? part.key : part)).join(".")
  const problem = first?.message ?? cause.message.split("\n")[0]
  const where = { Params: "path", Headers: "headers", Query: "query", Payload: "body" }[kind as string] ?? "request"
  const told = repeated(kind, problem) ? "it must be given once" : readable(problem)
  return ended(`${path === "" ? `The ${where}` : path} is invalid: ${told.slice(0, 1_000)}`)
}

/** What providers and the other role have heard is taken as it is, and cleaned where it is stored. */
const heard: ReadonlySet<string> = new Set(["callbacks", "engine", "messagingWebhooks", "telephony"])

const explaining = HttpApiMiddleware.layerSchemaErrorTransform(Decoding, (error) =>
  // What we send is our own business: an answer that does not fit its schema is a defect.
  error.kind === "Body" || error.kind === "ResponseHeaders"
    ? Effect.die(error)
    : Effect.fail(new BadRequest({ error: sentence(error) }))
)

export const layer: Layer.Layer<Decoding> = Layer.effect(
  Decoding,
  Effect.map(
    Decoding,
    (explain) => (handler, options) =>
      heard.has(options.group.identifier) ? explain(handler, options) : withStorableBody(explain(handler, options))
  )
).pipe(Layer.provide(explaining))
