/** Reads the body of an OAuth request: a form, or JSON. What is wrong with it is a refusal in OAuth's shape. */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { repeated } from "../../domain/people/oauth/AuthorizationRequest.ts"
import { OAuthRefused } from "../../domain/people/oauth/OAuthRefused.ts"

const invalid = (description: string) => new OAuthRefused({ code: "invalid_request", description })

const isOfType = ({ headers }: HttpServerRequest.HttpServerRequest, type: string) =>
  headers["content-type"]?.split(";")[0].trim().toLowerCase() === type

const formType = "application/x-www-form-urlencoded"

const textOf = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.mapError(request.text, () => invalid("The body of the request is too large, broken, or not UTF-8."))

/** The fields of a form. */
export const formOf = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  if (!isOfType(request, formType)) return yield* invalid(`The Content-Type must be ${formType}.`)
  return new URLSearchParams(yield* textOf(request))
})

/** The fields of a form, none of which may be there twice. */
export const strictFormOf = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const form = yield* formOf(request)
  return repeated(form) === undefined ? form : yield* invalid("A parameter is sent more than once.")
})

/** The JSON of a body. */
export const jsonOf = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  if (!isOfType(request, "application/json")) return yield* invalid("The Content-Type must be application/json.")
  const text = yield* textOf(request)
  return yield* Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: () => invalid("The body of the request is not JSON.")
  })
})
