import { Effect } from "effect"
import { makeAnalytics } from "../../../domain/usage/AnalyticsReport.ts"
import { AppApi } from "../../groups/Api.ts"
import { makeOwnOrganization } from "../../middleware/OwnOrganization.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest } from "../../wire/Errors.ts"

/** Needs Organizations and AnalyticsStore. */
export const layer = group(
  AppApi,
  "analytics",
  Effect.fn(function* (handlers) {
    const ownOrganization = yield* makeOwnOrganization
    const analytics = yield* makeAnalytics
    return handlers.handleAll({
      get: Effect.fnUntraced(function* ({ query }) {
        const organization = yield* ownOrganization("messages:read")
        return yield* analytics(organization, query).pipe(
          Effect.mapError(({ message }) => new BadRequest({ error: message }))
        )
      })
    })
  })
)
