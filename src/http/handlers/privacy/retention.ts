import { Clock, Effect } from "effect"
import { makeManageOrganization } from "../../../domain/people/organizations/ManageOrganization.ts"
import { retentionOf } from "../../../domain/people/organizations/Organization.ts"
import type { RetentionPolicy } from "../../../domain/people/organizations/RetentionPolicy.ts"
import { makeRunRetention } from "../../../domain/privacy/RunRetention.ts"
import { AppApi } from "../../groups/Api.ts"
import { makeOwnOrganization } from "../../middleware/OwnOrganization.ts"
import { group } from "../../server/RequestServices.ts"
import { Forbidden } from "../../wire/Errors.ts"

/** Needs Organizations, Audit, ExpiredRecords, ExpiredKinds, MediaFiles and the object storage. */
export const layer = group(
  AppApi,
  "retention",
  Effect.fn(function* (handlers) {
    const ownOrganization = yield* makeOwnOrganization
    const { count } = yield* makeRunRetention
    const { setRetention } = yield* makeManageOrganization

    const view = Effect.fnUntraced(function* (organizationId: string, policy: RetentionPolicy) {
      const now = yield* Clock.currentTimeMillis
      const { recordingsFailed: _, ...counts } = yield* count(organizationId, policy, now)
      return { policy, wouldRemove: { ...counts, auditLog: 0 } }
    })

    return handlers.handleAll({
      get: Effect.fnUntraced(function* () {
        const organization = yield* ownOrganization("admin")
        return yield* view(organization.id, retentionOf(organization))
      }),
      set: Effect.fnUntraced(function* ({ payload }) {
        const organization = yield* ownOrganization("admin")
        const policy = yield* setRetention(organization, payload).pipe(
          Effect.mapError(({ message }) => new Forbidden({ error: message }))
        )
        return yield* view(organization.id, policy)
      })
    })
  })
)
