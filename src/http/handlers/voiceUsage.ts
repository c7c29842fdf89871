import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Organizations } from "../../domain/Organization.ts"
import { makeUsageReport } from "../../domain/UsageReport.ts"
import { AppApi } from "../Api.ts"
import { BadRequest, Forbidden } from "../Errors.ts"
import { requireScope } from "../middleware/Authorization.ts"

/** Needs Organizations and VoiceUsage. */
export const layer = HttpApiBuilder.group(
  AppApi,
  "voiceUsage",
  Effect.fn(function* (handlers) {
    const organizations = yield* Organizations
    const usageReport = yield* makeUsageReport
    return handlers.handleAll({
      read: Effect.fn("voiceUsage.read")(function* ({ query }) {
        const { organizationId } = yield* requireScope("voice:read")
        const organization = yield* organizations.find(organizationId)
        if (organization === undefined) return yield* new Forbidden({ error: "This organization no longer exists." })
        const { report } = yield* usageReport(organization, query).pipe(
          Effect.mapError(({ message }) => new BadRequest({ error: message }))
        )
        return report
      })
    })
  })
)
