import { Clock, Effect } from "effect"
import { Audit, changedFields } from "../../domain/Audit.ts"
import { type Organization, Organizations, retentionOf } from "../../domain/Organization.ts"
import { cutoffs, ExpiredRecords } from "../../domain/Retention.ts"
import { makeCountKinds } from "../../domain/RetentionKinds.ts"
import { AppApi } from "../Api.ts"
import { Forbidden } from "../Errors.ts"
import { makeOwnOrganization } from "../OwnOrganization.ts"
import { group } from "../RequestServices.ts"

/** Needs Organizations, ExpiredRecords, ExpiredKinds and Audit. */
export const layer = group(
  AppApi,
  "retention",
  Effect.fn(function* (handlers) {
    const organizations = yield* Organizations
    const ownOrganization = yield* makeOwnOrganization
    const records = yield* ExpiredRecords
    const countKinds = yield* makeCountKinds
    const audit = yield* Audit

    const view = Effect.fnUntraced(function* (organization: Organization) {
      const policy = retentionOf(organization)
      const now = yield* Clock.currentTimeMillis
      const { recordingsFailed: _, ...ofCalls } = yield* records.count(organization.id, cutoffs(policy, now))
      const others = yield* countKinds(organization.id, policy, now)
      return { policy, wouldRemove: { ...ofCalls, ...others, auditLog: 0 } }
    })

    return handlers.handleAll({
      get: Effect.fnUntraced(function* () {
        return yield* view(yield* ownOrganization("admin"))
      }),
      set: Effect.fnUntraced(function* ({ payload }) {
        const organization = yield* ownOrganization("admin")
        const { id, plan } = organization
        if (plan !== "ENTERPRISE")
          return yield* new Forbidden({
            error: `Only Enterprise sets its own retention; this organization is on ${plan}.`
          })
        const before = retentionOf(organization)
        const retention = { ...before, ...payload }
        yield* audit.recorded(id, organizations.setRetention(id, retention), () => ({
          action: "organization.retention_changed",
          subjectId: id,
          ...changedFields(before, retention)
        }))
        return yield* view({ ...organization, retention })
      })
    })
  })
)
