/**
 * Lets pages of other origins use the interface with an API key (CORS). Only the origins of the setting are named in an answer, so that browsers keep all
 * others out. Cookies are never allowed: a session belongs to the service's own pages.
 */
import { Layer } from "effect"
import { HttpMiddleware, HttpRouter } from "effect/http"

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

/** Wraps every route of a server; does nothing without origins. */
export const layer = (origins: ReadonlyArray<string>) => {
  if (origins.length === 0) return Layer.empty
  const known = new Set(origins)
  const cors = HttpMiddleware.cors({
    allowedOrigins: (origin) => known.has(origin),
    allowedHeaders,
    exposedHeaders,
    maxAge,
    credentials: false
  })
  return HttpRouter.middleware(cors, { global: true })
}
