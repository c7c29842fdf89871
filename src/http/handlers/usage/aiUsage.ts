import { Effect } from "effect"
import { makeAiUsageReport } from "../../../domain/usage/AiUsage.ts"
import { AppApi } from "../../groups/Api.ts"
import { makeOwnOrganization } from "../../middleware/OwnOrganization.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest } from "../../wire/Errors.ts"

/** Needs Organizations and AiUsage. */
export const layer = group(
  AppApi,
  "aiUsage",
  Effect.fn(function* (handlers) {
    const ownOrganization = yield* makeOwnOrganization
    const report = yield* makeAiUsageReport
    return handlers.handleAll({
      get: Effect.fnUntraced(function* ({ query }) {
        const organization = yield* ownOrganization("agents:read")
        return yield* report(organization, query).pipe(
          Effect.mapError(({ message }) => new BadRequest({ error: message }))
        )
      })
    })
  })
)
