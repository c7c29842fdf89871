/** Answers requests whose address is malformed (400), or is not the one spelling of a route (404), before a route is looked for. */
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { errorResponse, nothingHere } from "../wire/Errors.ts"
import { targetProblem } from "../wire/RequestTarget.ts"

const refusalOf = ({ originalUrl }: HttpServerRequest.HttpServerRequest) => {
  const problem = targetProblem(originalUrl)
  if (problem === undefined) return undefined
  return problem.status === 404 ? nothingHere : errorResponse(400, problem.error)
}

/** Add it after all other middleware, so that it is the innermost: these requests count in the limits, and get an id. */
export const layer = HttpRouter.middleware(
  <E, R>(handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const refusal = refusalOf(request)
      return refusal === undefined ? handler : Effect.succeed(refusal)
    }),
  { global: true }
)
