import { Effect } from "effect"
import { makeUsageReport } from "../../domain/usage/UsageReport.ts"
import { AppApi } from "../Api.ts"
import { BadRequest } from "../Errors.ts"
import { makeOwnOrganization } from "../OwnOrganization.ts"
import { group } from "../RequestServices.ts"

/** Needs Organizations and VoiceUsage. */
export const layer = group(
  AppApi,
  "voiceUsage",
  Effect.fn(function* (handlers) {
    const ownOrganization = yield* makeOwnOrganization
    const usageReport = yield* makeUsageReport
    return handlers.handleAll({
      read: Effect.fnUntraced(function* ({ query }) {
        const organization = yield* ownOrganization("voice:read")
        const { report } = yield* usageReport(organization, query).pipe(
          Effect.mapError(({ message }) => new BadRequest({ error: message }))
        )
        return report
      })
    })
  })
)
