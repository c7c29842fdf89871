/**
 * Limits the requests per minute from one client address, for all routes and all callers. A request is counted before anything else is done. The
 * webhooks of providers and the requests of the other role are not counted: they are signed and all come from a few addresses. Requests of operators
 * are not counted either.
 */
import { Effect, Layer, Option } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { clientNetwork } from "../server/ClientAddress.ts"
import { errorResponse } from "../wire/Errors.ts"
import { makeRateLimit } from "./RateLimit.ts"

export interface AddressLimitOptions {
  /** 0 means no limit. */
  readonly requestsPerMinute: number
}

/** Routes have one spelling each (`ExactAddress.ts`), so no other address reaches the routes that these name. */
const exempt = [
  /^\w+ \/(healthz|readyz|engine\/.*|api\/voice-agents\/(tool-call|webhook))$/,
  /^POST \/api\/webhooks\//,
  /^POST \/api\/integrations\/\w+\/webhooks\/[\w-]+$/,
  // The telephony provider fetches audio here. The GET of the messaging channel's webhook, which verifies the address, is unsigned and is counted.
  /^(GET|HEAD) \/api\/webhooks\/telephony\//
]

/** Needs RateLimiter. It wraps every route, inside the middleware for the shape of errors and request ids. */
export const layer = ({ requestsPerMinute: limit }: AddressLimitOptions) =>
  limit === 0
    ? Layer.empty
    : HttpRouter.middleware(
        Effect.gen(function* () {
          const count = yield* makeRateLimit({ name: "address", what: "requests", limit, window: "1 minute" })
          return Effect.fnUntraced(function* <E, R>(
            handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
          ) {
            const { method, originalUrl, remoteAddress } = yield* HttpServerRequest.HttpServerRequest
            const asked = `${method} ${originalUrl.split("?")[0]}`
            if (exempt.some((which) => which.test(asked))) return yield* handler
            const client = clientNetwork(Option.getOrElse(remoteAddress, () => "unknown"))
            const refused = yield* Effect.match(count(client), {
              onSuccess: () => undefined,
              onFailure: ({ error }) => errorResponse(429, error)
            })
            return refused ?? (yield* handler)
          })
        }),
        { global: true }
      )
