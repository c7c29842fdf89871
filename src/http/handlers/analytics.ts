import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { makeAnalytics } from "../../domain/Analytics.ts"
import { Organizations } from "../../domain/Organization.ts"
import { AppApi } from "../Api.ts"
import { BadRequest, Forbidden } from "../Errors.ts"
import { requireScope } from "../middleware/Authorization.ts"

/** Needs Organizations and AnalyticsStore. */
export const layer = HttpApiBuilder.group(
  AppApi,
  "analytics",
  Effect.fn(function* (handlers) {
    const organizations = yield* Organizations
    const analytics = yield* makeAnalytics
    return handlers.handleAll({
      read: Effect.fn("analytics.read")(function* ({ query }) {
        const { organizationId } = yield* requireScope("messages:read")
        const organization = yield* organizations.find(organizationId)
        if (organization === undefined) return yield* new Forbidden({ error: "This organization no longer exists." })
        return yield* analytics(organization, query).pipe(
          Effect.mapError(({ message }) => new BadRequest({ error: message }))
        )
      })
    })
  })
)
