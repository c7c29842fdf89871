/** For operators: is it alive, can it take calls, what does it count. */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { errorResponse } from "./Errors.ts"
import { Readiness } from "./Readiness.ts"

const health = HttpRouter.add("GET", "/healthz", HttpServerResponse.jsonUnsafe({ status: "ok" }))

const ready = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { check } = yield* Readiness
    const answer = Effect.map(check, (checks) => {
      const missing = Object.keys(checks).filter((name) => !checks[name])
      return missing.length === 0
        ? HttpServerResponse.jsonUnsafe({ status: "ready", checks })
        : errorResponse(500, `Not ready: ${missing.join(", ")} cannot be reached.`)
    })
    yield* router.add("GET", "/readyz", answer)
  })
)

/** `/healthz`, `/readyz`, `/metrics`. Needs Readiness. */
export const layer = Layer.mergeAll(health, ready, PrometheusMetrics.layerHttp())
