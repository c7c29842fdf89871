/** A request that does not fit its endpoint's schema: 400 with a sentence that names the field. */
import { Effect, type Layer, SchemaIssue } from "effect"
import { type HttpApiError, HttpApiMiddleware } from "effect/http-api"
import { BadRequest } from "../Errors.ts"

export class Decoding extends HttpApiMiddleware.Service<Decoding>()("parley/http/Decoding", { error: BadRequest }) {}

const issues = SchemaIssue.makeFormatterStandardSchemaV1()

type SchemaError = InstanceType<typeof HttpApiError.HttpApiSchemaError>

const sentence = ({ kind, cause }: SchemaError): string => {
  const [first] = issues(cause.issue).issues
  const path = (first?.path ?? []).map((part) => String(typeof part === "object" ? part.key : part)).join(".")
  const problem = (first?.message ?? cause.message.split("\n")[0]).slice(0, 300)
  const where = { Params: "path", Headers: "headers", Query: "query", Payload: "body" }[kind as string] ?? "request"
  return path === "" ? `Invalid ${where}: ${problem}` : `${path} is invalid: ${problem}`
}

export const layer: Layer.Layer<Decoding> = HttpApiMiddleware.layerSchemaErrorTransform(Decoding, (error) =>
  // What we send is our own business: an answer that does not fit its schema is a defect.
  error.kind === "Body" || error.kind === "ResponseHeaders"
    ? Effect.die(error)
    : Effect.fail(new BadRequest({ error: sentence(error) }))
)
