/**
 * Handles the cases that typed errors do not cover: defects (logged, never shown), unknown routes and methods, and the library's own answers, such as
 * 415 in plain text. Every answer is then a success, a page for people, or `{ "error": … }` with a documented status.
 */
import { Effect } from "effect"
import { HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { SqlError } from "effect/sql"
import { BodyRefused, noRoomSeconds } from "../server/UwsBody.ts"
import { NotUtf8 } from "../server/UwsRequest.ts"
import { errorResponse, nothingHere, unanswered } from "../wire/Errors.ts"
import { withRequestId } from "./RequestId.ts"

const internal = errorResponse(500, "Something went wrong on our side. Please try again later.")
const unavailable = HttpServerResponse.setHeader(
  errorResponse(500, unanswered.error),
  "retry-after",
  String(unanswered.retryAfterSeconds)
)
const unread = errorResponse(400, "The body of the request is not one this address takes.")
const notUtf8 = errorResponse(400, "The body of the request is not UTF-8.")

/** The answer at an address that takes other methods: 405 with `Allow`. */
const otherMethods = (method: string, allowed: ReadonlyArray<string>) =>
  HttpServerResponse.setHeader(
    errorResponse(405, `This address does not take ${method}. It takes ${allowed.join(", ")}.`),
    "allow",
    allowed.join(", ")
  )

const inShape = (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse => {
  const { status, body } = response
  const ours = "contentType" in body && /^(?:application\/json|text\/html)/.test(body.contentType ?? "")
  if (status < 400 || ours) return response
  switch (status) {
    case 404:
      return nothingHere
    case 413:
      return errorResponse(400, "The request body is too large.")
    case 415:
      return errorResponse(400, "The Content-Type of the request is not one this address takes.")
    default:
      return status < 500 ? errorResponse(400, "The request could not be understood.") : internal
  }
}

/** Whether no route matches. A catch-all route cannot replace this: it would take the HEAD requests that fall back to GET routes. */
const isUnknownRoute = (error: unknown): boolean =>
  HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound"

/** The answer when a handler could not read the body; `undefined` for other defects. Handlers that read the raw body do not check its type first. */
const unreadable = (defect: unknown): HttpServerResponse.HttpServerResponse | undefined => {
  if (!HttpServerError.isHttpServerError(defect) || defect.reason._tag !== "RequestParseError") return undefined
  const { cause } = defect.reason
  if (cause instanceof NotUtf8) return notUtf8
  if (!(cause instanceof BodyRefused)) return unread
  return cause.reason === "no_room"
    ? HttpServerResponse.setHeader(errorResponse(429, cause.message), "retry-after", String(noRoomSeconds))
    : errorResponse(400, cause.message)
}

/** Whether the database could not be reached, or took too long: it may answer again in a moment. */
const isPassing = (defect: unknown): boolean =>
  SqlError.isSqlError(defect) &&
  (defect.isRetryable || defect.reason._tag === "ConnectionError" || defect.reason.operation === "connect")

/** The answer when no route matches: 405 when the address is known, else 404. */
const unknownRoute = (methodsAt: MethodsAt) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ method, originalUrl }) => {
    const allowed = methodsAt(originalUrl)
    // The router finds no route either for an id that is longer than any.
    return allowed.length === 0 || allowed.includes(method) ? nothingHere : otherMethods(method, allowed)
  })

const withErrorShape = <E, R>(
  handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  methodsAt: MethodsAt
) =>
  handler.pipe(
    Effect.catchIf(isUnknownRoute, () => unknownRoute(methodsAt)),
    Effect.map(inShape),
    Effect.catchDefect((defect) => {
      const refusal = unreadable(defect)
      return refusal === undefined
        ? Effect.as(Effect.logError("unhandled defect", defect), isPassing(defect) ? unavailable : internal)
        : Effect.succeed(refusal)
    })
  )

/** The methods that an address takes; none when there is no such address. */
export type MethodsAt = (url: string) => ReadonlyArray<string>

/**
 * Wraps every route of a server. Add it exactly once. Both are one middleware, so that the request id is outside: answers made here and log lines of
 * defects carry it too.
 */
export const layer = (methodsAt: MethodsAt) =>
  HttpRouter.middleware((handler) => withRequestId(withErrorShape(handler, methodsAt)), { global: true })
