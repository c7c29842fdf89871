/**
 * Lets pages of other origins use the interface with an API key (CORS). Only the origins of the setting are named in an answer, so that browsers keep all
 * others out. Cookies are never allowed: a session belongs to the service's own pages.
 */
import { Effect } from "effect"
import { HttpMiddleware, HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"

/** What pages may read besides the body. */
const exposedHeaders = [
  "Content-Disposition",
  "Idempotent-Replayed",
  "Mcp-Session-Id",
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
  "Retry-After",
  "WWW-Authenticate",
  "X-Existing-Id",
  "X-Request-Id"
]

const allowedHeaders = [
  "Authorization",
  "Content-Type",
  "Idempotency-Key",
  "Last-Event-ID",
  "Mcp-Method",
  "Mcp-Name",
  "Mcp-Protocol-Version",
  "Mcp-Session-Id",
  "X-Mcp-Readonly",
  "X-Mcp-Toolsets",
  "X-Request-Id"
]

/** How long browsers remember what is allowed, in seconds. */
const maxAge = 600

/**
 * What programs in any page may use: it tells of nobody, or asks for a secret that is in the request, and it takes no cookies. The pages of people
 * (`/oauth/authorize`) are not among it.
 */
const isForEverybody = (url: string) => /^\/(?:\.well-known\/oauth-|oauth\/(?:token|register|revoke)(?:\?|$))/.test(url)

const everybody = HttpMiddleware.cors({
  allowedOrigins: [],
  allowedMethods: ["GET", "HEAD", "POST"],
  allowedHeaders: ["Authorization", "Content-Type", "MCP-Protocol-Version"],
  exposedHeaders: ["Retry-After", "WWW-Authenticate", "X-Request-Id"],
  maxAge,
  credentials: false
})

/** Wraps every route of a server. Without origins only the addresses that are for everybody may be used by other origins' pages. */
export const layer = (origins: ReadonlyArray<string>) => {
  const known = new Set(origins)
  const some = HttpMiddleware.cors({
    allowedOrigins: (origin) => known.has(origin),
    allowedHeaders,
    exposedHeaders,
    maxAge,
    credentials: false
  })
  return HttpRouter.middleware(
    <E, R>(handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) => {
      const [open, limited] = [everybody(handler), known.size === 0 ? handler : some(handler)]
      return Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ originalUrl }) =>
        isForEverybody(originalUrl) ? open : limited
      )
    },
    { global: true }
  )
}
