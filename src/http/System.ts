/** Routes for operators: whether the process is alive, whether it can take calls, and its metrics. The metrics are not for the public. */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { Draining } from "../domain/basics/Draining.ts"
import { Readiness } from "./Readiness.ts"
import { errorResponse } from "./wire/Errors.ts"

const health = HttpRouter.add("GET", "/healthz", HttpServerResponse.jsonUnsafe({ status: "ok" }))

/** How long the result of a check is kept. Anybody may request `/readyz` at any rate, and each check queries the database. */
const readinessKept = "1 second"

const ready = HttpRouter.use(
  Effect.fn(function* (router) {
    const { check, workers } = yield* Readiness
    const checked = yield* Effect.cachedWithTTL(check, readinessKept)
    const { isDraining } = yield* Draining
    const answer = Effect.gen(function* () {
      if (yield* isDraining) return errorResponse(500, "Not ready: this process is draining, it takes nothing new.")
      const checks = yield* checked
      const missing = Object.keys(checks).filter((name) => !checks[name])
      if (missing.length > 0) return errorResponse(500, `Not ready: ${missing.join(", ")} cannot be reached.`)
      const alive = workers === undefined ? {} : { workers: yield* workers }
      return HttpServerResponse.jsonUnsafe({ status: "ready", checks, ...alive })
    })
    yield* router.add("GET", "/readyz", answer)
  })
)

/** `/healthz` and `/readyz`. Needs Readiness and Draining. */
export const layer = Layer.merge(health, ready)

/** `/metrics`: of this process, in Prometheus' text format. */
export const metrics = PrometheusMetrics.layerHttp()
