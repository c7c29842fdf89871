import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Audit, changedFields } from "../../domain/Audit.ts"
import { isOpen, nextOpening } from "../../domain/BusinessHours.ts"
import { type Organization, Organizations } from "../../domain/Organization.ts"
import { AppApi } from "../Api.ts"
import { NotFound } from "../Errors.ts"
import { requireScope } from "../middleware/Authorization.ts"

const view = ({ timeZone, businessHours }: Pick<Organization, "timeZone" | "businessHours">) =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const open = isOpen(businessHours, timeZone, now)
    const opening = open ? undefined : nextOpening(businessHours, timeZone, now)
    return { timeZone, businessHours, open, opensAt: opening === undefined ? null : new Date(opening).toISOString() }
  })

/** Needs Organizations and Audit. */
export const layer = HttpApiBuilder.group(
  AppApi,
  "businessHours",
  Effect.fn(function* (handlers) {
    const organizations = yield* Organizations
    const audit = yield* Audit

    const existing = Effect.fnUntraced(function* (organizationId: string) {
      const organization = yield* organizations.find(organizationId)
      return organization ?? (yield* new NotFound({ error: "This organization no longer exists." }))
    })

    return handlers.handleAll({
      get: Effect.fn("businessHours.get")(function* () {
        const { organizationId } = yield* requireScope("voice:read")
        return yield* view(yield* existing(organizationId))
      }),
      set: Effect.fn("businessHours.set")(function* ({ payload }) {
        const { organizationId } = yield* requireScope("admin")
        const before = yield* existing(organizationId)
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
