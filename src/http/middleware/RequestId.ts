/** Adds a request id to every answer (`X-Request-Id`) and to every log line of its handler: the client's own id when it is well-formed. */
import { Context, Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { newId } from "../../domain/basics/Ids.ts"

const wellFormed = /^[\w.:-]{1,128}$/

/** The id of the request that a fiber works for; null outside requests. */
export const CurrentRequestId = Context.Reference<string | null>("parley/http/CurrentRequestId", {
  defaultValue: () => null
})

/** Runs a handler with its request id. */
export const withRequestId = Effect.fnUntraced(function* <E, R>(
  handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
) {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const sent = headers["x-request-id"]
  const requestId = sent !== undefined && wellFormed.test(sent) ? sent : newId("req")
  const response = yield* handler.pipe(
    Effect.provideService(CurrentRequestId, requestId),
    Effect.annotateLogs({ requestId })
  )
  return HttpServerResponse.setHeader(response, "x-request-id", requestId)
})
