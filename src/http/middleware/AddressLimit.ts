/**
 * Limits the requests per minute from one client address, for all routes and all callers. A request is counted before anything else is done. Requests of
 * people who are signed in are counted for each session instead, since the people of one office share an address. The webhooks of providers and the
 * requests of the other role are not counted: they are signed and all come from a few addresses. The files of the dashboard and the health checks are not
 * counted either.
 */
import { Effect, Layer, Option } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { clientNetwork } from "../server/ClientAddress.ts"
import { errorResponse } from "../wire/Errors.ts"
import { cookieIn, KnownSessions } from "./KnownSessions.ts"
import { makeRateLimit } from "./RateLimit.ts"

export interface AddressLimitOptions {
  /** 0 means no limit. */
  readonly requestsPerMinute: number
}

/** The requests per minute of one session. */
export const sessionRequestsPerMinute = 600

/** Routes have one spelling each (`ExactAddress.ts`), so no other address reaches the routes that these name. */
const exempt = [
  // The dashboard's files are in memory, and cost no more than the answer that refuses one.
  /^(GET|HEAD) \/assets\/[\w.-]+$/,
  /^\w+ \/(healthz|readyz|engine\/.*|api\/voice-agents\/(tool-call|knowledge|notices|webhook))$/,
  /^POST \/api\/webhooks\//,
  /^POST \/api\/integrations\/(\w+\/webhooks\/[\w-]+|slack\/(events|interactions))$/,
  // The telephony provider fetches audio here. The GET of the messaging channel's webhook, which verifies the address, is unsigned and is counted.
  /^(GET|HEAD) \/api\/webhooks\/telephony\//
]

/** Whether the requests of an address are counted here, and limited. */
export const isCounted = (method: string, path: string): boolean => {
  const asked = `${method} ${path}`
  return !exempt.some((which) => which.test(asked))
}

/** Needs RateLimiter. It wraps every route, inside the middleware for the shape of errors and request ids. */
export const layer = ({ requestsPerMinute: limit }: AddressLimitOptions) =>
  limit === 0
    ? Layer.empty
    : HttpRouter.middleware(
        Effect.gen(function* () {
          const count = yield* makeRateLimit({ name: "address", what: "requests", limit, window: "1 minute" })
          const countSession = yield* makeRateLimit({
            name: "session",
            what: "requests",
            limit: sessionRequestsPerMinute,
            window: "1 minute"
          })
          const known = yield* KnownSessions
          return Effect.fnUntraced(function* <E, R>(
            handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
          ) {
            const { method, originalUrl, remoteAddress, headers } = yield* HttpServerRequest.HttpServerRequest
            if (!isCounted(method, originalUrl.split("?")[0])) return yield* handler
            const client = clientNetwork(Option.getOrElse(remoteAddress, () => "unknown"))
            const session = headers.authorization === undefined ? yield* known.of(cookieIn(headers.cookie)) : undefined
            const counted = session === undefined ? count(client) : countSession(session)
            const refused = yield* Effect.match(counted, {
              onSuccess: () => undefined,
              onFailure: ({ error }) => errorResponse(429, error)
            })
            return refused ?? (yield* handler)
          })
        }),
        { global: true }
      )
