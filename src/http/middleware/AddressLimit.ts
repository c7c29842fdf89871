/**
 * So many requests a minute from one client address, whatever they ask for and whoever they say they are: counted before anything else is
 * done. Not counted are the providers and the other role, who sign their requests and all come from a few addresses, and what operators ask.
 */
import { Effect, Layer, Option } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { clientNetwork } from "../server/ClientAddress.ts"
import { errorResponse } from "../wire/Errors.ts"
import { makeRateLimit } from "./RateLimit.ts"

export interface AddressLimitOptions {
  /** 0: no limit. */
  readonly requestsPerMinute: number
}

const exempt = [
  /^\w+ \/(healthz|readyz|metrics|engine\/.*|api\/voice-agents\/(tool-call|webhook))$/,
  /^POST \/api\/webhooks\//,
  // What the telephony provider plays. Nobody signs the other thing that is read here, the messaging channel's question whether an address is ours.
  /^(GET|HEAD) \/api\/webhooks\/telephony\//
]

/** Needs RateLimiter. Around every route, but inside the frame that gives answers their shape and id. */
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
