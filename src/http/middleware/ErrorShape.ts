/**
 * Closes what typed errors cannot reach: defects (logged, never shown), unknown routes and methods, and the library's own answers
 * such as 415 in plain text. What leaves here is `{ "error": … }` with a status of the table, or a success.
 */
import { Effect } from "effect"
import { HttpRouter, HttpServerError, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { errorResponse } from "../wire/Errors.ts"
import { withRequestId } from "./RequestId.ts"

const internal = errorResponse(500, "Something went wrong on our side. Please try again later.")
const unprintable = errorResponse(400, "The address of the request contains a NUL character.")
const unread = errorResponse(400, "The body of the request is not one this address takes.")
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

/** Not a route for everything else: such a one would take the HEAD requests that fall back to GET routes. */
const isUnknownRoute = (error: unknown): boolean =>
  HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound"

/** Handlers that take bodies as they are do not ask first what these say they are. */
const isUnreadable = (defect: unknown): boolean =>
  HttpServerError.isHttpServerError(defect) && defect.reason._tag === "RequestParseError"

/** No name or id has one, and the database does not take it. */
const hasNul = ({ originalUrl }: HttpServerRequest.HttpServerRequest): boolean => originalUrl.includes("%00")

const withErrorShape = <E, R>(handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
    hasNul(request) ? Effect.succeed(unprintable) : handler
  ).pipe(
    Effect.catchIf(isUnknownRoute, () => Effect.succeed(notFound)),
    Effect.map(inShape),
    Effect.catchDefect((defect) =>
      isUnreadable(defect) ? Effect.succeed(unread) : Effect.as(Effect.logError("unhandled defect", defect), internal)
    )
  )

// One middleware, so that the id is outside: an answer made here carries it too, and so does the log line of a defect.
const frame = HttpRouter.middleware((handler) => withRequestId(withErrorShape(handler)), { global: true })

/** Around every route of a server; exactly once. */
export const layer = frame
