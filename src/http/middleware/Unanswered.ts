/**
 * Answers requests that wait for a database which answers nobody: after five seconds at most, with 500 and `Retry-After`. The handler goes on. What it
 * was doing when the database fell silent may have been done (the answer to a COMMIT may be lost), so the answer does not deny it: with an
 * Idempotency-Key the same request can be sent again, and gets the first one's answer.
 *
 * The telephony provider's webhooks wait longer: a caller hears ringing meanwhile, and an error would end the call. So do the routes of operators,
 * which have limits of their own. An answer that is being streamed goes on.
 */
import { Effect, Schedule } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { RecordsSilence } from "../../domain/basics/RecordsSilence.ts"
import { refuse, type UwsExchange } from "../server/UwsExchange.ts"
import { UwsRequest } from "../server/UwsRequest.ts"
import { unanswered } from "../wire/Errors.ts"
import { CurrentRequestId } from "./RequestId.ts"

/** A request that has waited for as long is answered, if the database has been silent for most of that time. Milliseconds. */
const patienceMs = 4_500
const silentMs = 3_500
const lookEveryMs = 250

const exempt = /^\/(api\/webhooks\/telephony\/|(healthz|readyz|metrics)(\?|$))/

interface Waiting {
  readonly source: UwsExchange
  readonly requestId: string
  readonly head: boolean
  /** Milliseconds, counted: a process that stood still itself has kept nobody waiting for the database. */
  waitedMs: number
}

/** It wraps every route, inside the middleware for request ids. */
export const layer = HttpRouter.middleware(
  Effect.gen(function* () {
    const silence = yield* RecordsSilence
    const waiting = new Set<Waiting>()

    const look = Effect.suspend(() => {
      const isSilent = silence.ms() >= silentMs
      let given = 0
      for (const one of waiting) {
        one.waitedMs += lookEveryMs
        // A body that is still coming is not waiting for the database.
        if (!isSilent || one.waitedMs < patienceMs || one.source.gone || one.source.incomplete) continue
        const { retryAfterSeconds } = unanswered
        refuse(one.source, 500, unanswered.error, one.requestId, { retryAfterSeconds, head: one.head })
        given++
      }
      return given === 0 ? Effect.void : Effect.logWarning("requests were answered without the database", { given })
    })
    yield* Effect.forkScoped(Effect.repeat(look, Schedule.spaced(lookEveryMs)))

    return Effect.fnUntraced(function* <E, R>(handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) {
      const request = yield* HttpServerRequest.HttpServerRequest
      if (!(request instanceof UwsRequest) || exempt.test(request.originalUrl)) return yield* handler
      const requestId = (yield* CurrentRequestId) ?? ""
      const one: Waiting = { source: request.source, requestId, head: request.method === "HEAD", waitedMs: 0 }
      waiting.add(one)
      return yield* Effect.ensuring(
        handler,
        Effect.sync(() => waiting.delete(one))
      )
    })
  }),
  { global: true }
)
