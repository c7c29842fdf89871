/**
 * Closes what typed errors cannot reach: defects (logged, never shown), unknown routes and methods, and the library's own answers
 * such as 415 in plain text. What leaves here is `{ "error": … }` with a status of the table, or a success.
 */
import { Effect, Layer } from "effect"
import { HttpRouter, type HttpServerResponse } from "effect/http"
import { errorResponse } from "../Errors.ts"
import { withRequestId } from "./RequestId.ts"

const internal = errorResponse(500, "Something went wrong on our side. Please try again later.")
const notFound = errorResponse(404, "There is nothing at this address.")

const inShape = (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse => {
  const { status, body } = response
  const ours = "contentType" in body && body.contentType?.startsWith("application/json") === true
  if (status < 400 || ours) return response
  switch (status) {
    case 404:
    case 405:
      return notFound
    case 413:
      return errorResponse(400, "The request body is too large.")
    case 415:
      return errorResponse(400, "The Content-Type of the request is not one this address takes.")
    default:
      return status < 500 ? errorResponse(400, "The request could not be understood.") : internal
  }
}

const withErrorShape = <E, R>(handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  handler.pipe(
    Effect.map(inShape),
    Effect.catchDefect((defect) => Effect.as(Effect.logError("unhandled defect", defect), internal))
  )

// One middleware, so that the id is outside: an answer made here carries it too, and so does the log line of a defect.
const frame = HttpRouter.middleware((handler) => withRequestId(withErrorShape(handler)), { global: true })

const noRoute = HttpRouter.add("*", "/*", notFound)

/** Around every route of a server; exactly once. */
export const layer = Layer.mergeAll(frame, noRoute)
