/**
 * Sends JSON and pages in brotli or gzip to clients that accept it, from 1 KB on. Other threads compress, so that the frames of calls do not wait. Files
 * of messages are mostly compressed already, and an event stream would wait for more to come. A secret that is shown once
 * is new in each answer, and the answer with a session's CSRF token is shorter: their lengths say nothing of the secret, whatever a request adds.
 */
import { HttpMiddleware, HttpRouter } from "effect/http"

const compressible = (contentType: string) => /^\s*(?:application\/json|text\/html)\b/i.test(contentType)

/** Medium levels: the highest take ten times as long for a tenth less. */
const compress = HttpMiddleware.compression({
  algorithms: ["br", "gzip"],
  minSize: 1_024,
  levels: { br: 4, gzip: 6 },
  compressible
})

/** Wraps every route of a server. */
export const layer = HttpRouter.middleware(compress, { global: true })
