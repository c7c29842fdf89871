/**
 * The limit on the head of a request. uWebSockets.js reads it from the environment while it is being loaded, so this file is imported before the
 * library. Its own limit, 4 KB, is less than browsers and proxies send. Beside this it takes at most 100 header fields.
 */

/** The request line and all header fields together, in bytes. */
export const mostHeadBytes = 16 * 1024

process.env.UWS_HTTP_MAX_HEADERS_SIZE = String(mostHeadBytes)
