/**
 * The headers that every answer has, so that a browser treats it as data: it guesses no type, shows it in no frame, sends our addresses to no other
 * site and stores nothing. Each of them is a constant text, because each call of the library costs time.
 */
import type { HttpResponse } from "uWebSockets.js"

/** How long a browser uses TLS only, in seconds. */
const tlsOnlySeconds = 365 * 24 * 3_600

/** The value of the first header, then the other headers: the library writes a value as it is. */
const fixed = "nosniff\r\nx-frame-options: DENY\r\nreferrer-policy: no-referrer"
const fixedOverTls = `${fixed}\r\nstrict-transport-security: max-age=${tlsOnlySeconds}`

/** Whether users reach the service by `https:`. */
export interface SecurityHeadersOptions {
  readonly overTls: boolean
}

/**
 * Writes these headers. Call it after the status. `chosen` are the answer's own headers: a page or a file has a policy of its own, and says how long it
 * may be stored.
 */
export const writeSecurityHeaders = (
  res: HttpResponse,
  { overTls }: SecurityHeadersOptions,
  chosen: Readonly<Record<string, string | undefined>>
): void => {
  res.writeHeader("x-content-type-options", overTls ? fixedOverTls : fixed)
  if (chosen["content-security-policy"] === undefined)
    res.writeHeader("content-security-policy", "default-src 'none'; frame-ancestors 'none'")
  if (chosen["cache-control"] === undefined) res.writeHeader("cache-control", "no-store")
}
