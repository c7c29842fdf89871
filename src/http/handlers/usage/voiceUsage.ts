import { Effect } from "effect"
import { makeUsageReport } from "../../../domain/usage/UsageReport.ts"
import { AppApi } from "../../groups/Api.ts"
import { makeOwnOrganization } from "../../middleware/OwnOrganization.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest } from "../../wire/Errors.ts"

/** Needs Organizations and VoiceUsage. */
export const layer = group(
  AppApi,
  "voiceUsage",
  Effect.fn(function* (handlers) {
    const ownOrganization = yield* makeOwnOrganization
    const usageReport = yield* makeUsageReport
    return handlers.handleAll({
      get: Effect.fnUntraced(function* ({ query }) {
        const organization = yield* ownOrganization("voice:read")
        const { report } = yield* usageReport(organization, query).pipe(
          Effect.mapError(({ message }) => new BadRequest({ error: message }))
        )
        return report
      })
    })
  })
)
