import { Clock, Effect } from "effect"
import { Audit, changedFields } from "../../domain/Audit.ts"
import { isOpen, nextOpening } from "../../domain/BusinessHours.ts"
import { type Organization, Organizations } from "../../domain/Organization.ts"
import { AppApi } from "../Api.ts"
import { makeOwnOrganization } from "../OwnOrganization.ts"
import { group } from "../RequestServices.ts"

const view = ({ timeZone, businessHours }: Pick<Organization, "timeZone" | "businessHours">) =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const open = isOpen(businessHours, timeZone, now)
    const opening = open ? undefined : nextOpening(businessHours, timeZone, now)
    return { timeZone, businessHours, open, opensAt: opening === undefined ? null : new Date(opening).toISOString() }
  })

/** Needs Organizations and Audit. */
export const layer = group(
  AppApi,
  "businessHours",
  Effect.fn(function* (handlers) {
    const organizations = yield* Organizations
    const ownOrganization = yield* makeOwnOrganization
    const audit = yield* Audit

    return handlers.handleAll({
      get: Effect.fnUntraced(function* () {
        return yield* view(yield* ownOrganization("voice:read"))
      }),
      set: Effect.fnUntraced(function* ({ payload }) {
        const before = yield* ownOrganization("admin")
        const organizationId = before.id
        const { businessHours, timeZone = before.timeZone } = payload
        const set = organizations.setBusinessHours(organizationId, timeZone, businessHours)
        yield* audit.recorded(organizationId, set, () => ({
          action: "organization.business_hours_changed",
          subjectId: organizationId,
          ...changedFields(
            { timeZone: before.timeZone, businessHours: before.businessHours },
            { timeZone, businessHours }
          )
        }))
        return yield* view({ timeZone, businessHours })
      })
    })
  })
)
