import { Clock, Effect } from "effect"
import { openingState } from "../../../domain/people/organizations/BusinessHours.ts"
import { makeManageOrganization } from "../../../domain/people/organizations/ManageOrganization.ts"
import type { Organization } from "../../../domain/people/organizations/Organization.ts"
import { AppApi } from "../../groups/Api.ts"
import { makeOwnOrganization } from "../../middleware/OwnOrganization.ts"
import { group } from "../../server/RequestServices.ts"

const view = ({ timeZone, businessHours }: Pick<Organization, "timeZone" | "businessHours">) =>
  Effect.map(Clock.currentTimeMillis, (now) => ({
    timeZone,
    businessHours,
    ...openingState(businessHours, timeZone, now)
  }))

/** Needs Organizations and Audit. */
export const layer = group(
  AppApi,
  "businessHours",
  Effect.fn(function* (handlers) {
    const ownOrganization = yield* makeOwnOrganization
    const { setBusinessHours } = yield* makeManageOrganization

    return handlers.handleAll({
      get: Effect.fnUntraced(function* () {
        return yield* view(yield* ownOrganization("voice:read"))
      }),
      set: Effect.fnUntraced(function* ({ payload }) {
        const organization = yield* ownOrganization("admin")
        return yield* view(yield* setBusinessHours(organization, payload))
      })
    })
  })
)
