/** Every answer carries `X-Request-Id`, and every log line of its handler too: the client's own id when it is well-formed. */
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { newId } from "../../domain/Ids.ts"

const wellFormed = /^[\w.:-]{1,128}$/

export const withRequestId = <E, R>(handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.gen(function* () {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const sent = headers["x-request-id"]
    const requestId = sent !== undefined && wellFormed.test(sent) ? sent : newId("req")
    const response = yield* Effect.annotateLogs(handler, { requestId })
    return HttpServerResponse.setHeader(response, "x-request-id", requestId)
  })
