/** Errors of JSON-RPC outside a session's messages, and the body of a request. */
import { Data, Effect, Predicate } from "effect"
import { type HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { parsedJson } from "../../../domain/basics/Json.ts"
import { BodyRefused, noRoomSeconds } from "../../server/UwsBody.ts"
import { isTooDeep } from "../../wire/StorableBody.ts"

/** JSON-RPC's codes, and those that the protocol's transports use. */
export const codes = { parse: -32_700, invalidRequest: -32_600, transport: -32_000, session: -32_001 }

/** An answer without a message's id: it could not be read, or it is about the connection. */
export const rpcError = (status: number, code: number, message: string) =>
  HttpServerResponse.jsonUnsafe({ jsonrpc: "2.0", error: { code, message }, id: null }, { status })

export const sessionNotFound = rpcError(404, codes.session, "Session not found")

/** A request that is answered without reaching a session. */
export class Refused extends Data.TaggedError("Refused")<{
  readonly response: HttpServerResponse.HttpServerResponse
}> {}

export const refuseWith = (response: HttpServerResponse.HttpServerResponse) => Effect.fail(new Refused({ response }))

const unread = (error: HttpServerError.HttpServerError) => {
  const { reason } = error
  const cause = reason._tag === "RequestParseError" ? reason.cause : undefined
  if (!(cause instanceof BodyRefused)) return rpcError(400, codes.parse, "Parse error: the body could not be read")
  if (cause.reason === "no_room")
    return HttpServerResponse.setHeader(
      rpcError(429, codes.transport, cause.message),
      "retry-after",
      String(noRoomSeconds)
    )
  return rpcError(cause.reason === "too_large" ? 413 : 400, codes.invalidRequest, cause.message)
}

const json = /^\s*application\/json\s*(;|$)/i

/** The message in the body of the current request. A batch is refused: the protocol has none since 2025-06-18. */
export const readMessage = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  if (!json.test(request.headers["content-type"] ?? ""))
    return yield* refuseWith(
      rpcError(415, codes.transport, "Unsupported Media Type: Content-Type must be application/json")
    )
  const text = yield* Effect.catch(request.text, (error) => refuseWith(unread(error)))
  if (isTooDeep(text))
    return yield* refuseWith(rpcError(400, codes.invalidRequest, "Invalid Request: the message is nested too deeply"))
  const message = parsedJson(text)
  if (message === undefined) return yield* refuseWith(rpcError(400, codes.parse, "Parse error: Invalid JSON"))
  if (Array.isArray(message))
    return yield* refuseWith(
      rpcError(400, codes.invalidRequest, "Invalid Request: batches are not supported, send one message a request")
    )
  if (!Predicate.isObject(message))
    return yield* refuseWith(rpcError(400, codes.invalidRequest, "Invalid Request: the message must be an object"))
  return message
})

/** Turns a refusal into its answer. */
export const answered = <R>(
  work: Effect.Effect<HttpServerResponse.HttpServerResponse, Refused, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> =>
  Effect.catch(work, ({ response }) => Effect.succeed(response))
