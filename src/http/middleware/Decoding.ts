/** Answers a request that does not match its endpoint's schema, or says more than that, with 400 and a sentence that names the field. */
import { Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"
import { parsedJson } from "../../domain/basics/Json.ts"
import { UwsRequest } from "../server/UwsRequest.ts"
import { BadRequest } from "../wire/Errors.ts"
import { type RequestRules, rulesOf, unknownFieldOf, unknownParameterOf } from "../wire/RequestRules.ts"
import { sentenceOf } from "../wire/SchemaSentences.ts"
import { unstorable } from "../wire/StorableBody.ts"
import { isStreamed } from "../wire/StreamedBody.ts"

export class Decoding extends HttpApiMiddleware.Service<Decoding>()("parley/http/Decoding", { error: BadRequest }) {}

/** The groups whose bodies come from providers and the other role. Text in them is accepted as it is, and cleaned where it is stored. */
const unchecked: ReadonlySet<string> = new Set(["callbacks", "engine", "messagingWebhooks", "telephony"])

const explaining = HttpApiMiddleware.layerSchemaErrorTransform(Decoding, (error) =>
  // An answer of ours that does not match its schema is a defect.
  error.kind === "Body" || error.kind === "ResponseHeaders"
    ? Effect.die(error)
    : Effect.fail(new BadRequest({ error: sentenceOf(error) }))
)

const json = /^\s*application\/json\b/i
const untyped = "Send the header Content-Type with the body: application/json."
const noFields = new TextEncoder().encode("{}")

/** What is wrong with a JSON body before its fields are checked, as a sentence; `undefined` when nothing is. */
const bodyProblem = (rules: RequestRules, text: string, typed: boolean): string | undefined => {
  if (text === "") return undefined
  if (!typed) return untyped
  const problem = unstorable(text)
  if (problem !== undefined || rules.body === undefined) return problem
  return unknownFieldOf(rules, parsedJson(text))
}

/** Runs `handler` when the whole request can be understood; fails with 400 otherwise. */
const withChecks = <A, E, R>(rules: RequestRules, streamed: boolean, handler: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const unknown = unknownParameterOf(rules, yield* HttpServerRequest.ParsedSearchParams)
    if (unknown !== undefined) return yield* new BadRequest({ error: unknown })
    if (streamed) return yield* handler
    const request = yield* HttpServerRequest.HttpServerRequest
    if (request.method === "GET") return yield* handler
    const type = request.headers["content-type"]
    const empty = request.headers["content-length"] === "0"
    // Another type is refused later, by the name that it has.
    if (!empty && type !== undefined && !json.test(type)) return yield* handler
    const text = empty ? "" : yield* Effect.orDie(request.text)
    const error = bodyProblem(rules, text, type !== undefined)
    if (error !== undefined) return yield* new BadRequest({ error })
    return text === "" && rules.bodyMayBeAbsent && request instanceof UwsRequest
      ? yield* Effect.provideService(handler, HttpServerRequest.HttpServerRequest, request.withJson(noFields))
      : yield* handler
  })

export const layer: Layer.Layer<Decoding> = Layer.effect(
  Decoding,
  Effect.map(
    Decoding,
    (explain) => (handler, options) =>
      unchecked.has(options.group.identifier)
        ? explain(handler, options)
        : withChecks(rulesOf(options.endpoint), isStreamed(options.endpoint), explain(handler, options))
  )
).pipe(Layer.provide(explaining))
