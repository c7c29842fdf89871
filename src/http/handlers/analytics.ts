import { Effect } from "effect"
import { makeAnalytics } from "../../domain/usage/Analytics.ts"
import { AppApi } from "../Api.ts"
import { BadRequest } from "../Errors.ts"
import { makeOwnOrganization } from "../OwnOrganization.ts"
import { group } from "../RequestServices.ts"

/** Needs Organizations and AnalyticsStore. */
export const layer = group(
  AppApi,
  "analytics",
  Effect.fn(function* (handlers) {
    const ownOrganization = yield* makeOwnOrganization
    const analytics = yield* makeAnalytics
    return handlers.handleAll({
      read: Effect.fnUntraced(function* ({ query }) {
        const organization = yield* ownOrganization("messages:read")
        return yield* analytics(organization, query).pipe(
          Effect.mapError(({ message }) => new BadRequest({ error: message }))
        )
      })
    })
  })
)
