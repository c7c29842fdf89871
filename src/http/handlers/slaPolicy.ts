import { Effect } from "effect"
import { Audit } from "../../domain/Audit.ts"
import { Organizations } from "../../domain/Organization.ts"
import { AppApi } from "../Api.ts"
import { makeOwnOrganization } from "../OwnOrganization.ts"
import { group } from "../RequestServices.ts"

/** Needs Organizations and Audit. */
export const layer = group(
  AppApi,
  "slaPolicy",
  Effect.fn(function* (handlers) {
    const organizations = yield* Organizations
    const ownOrganization = yield* makeOwnOrganization
    const audit = yield* Audit

    return handlers.handleAll({
      get: Effect.fnUntraced(function* () {
        const { slaPolicy } = yield* ownOrganization("conversations:read")
        return { slaPolicy }
      }),
      set: Effect.fnUntraced(function* ({ payload: { slaPolicy } }) {
        const { id: organizationId, ...before } = yield* ownOrganization("admin")
        yield* audit.recorded(organizationId, organizations.setSlaPolicy(organizationId, slaPolicy), () => ({
          action: "organization.sla_policy_changed",
          subjectId: organizationId,
          before: { slaPolicy: before.slaPolicy },
          after: { slaPolicy }
        }))
        return { slaPolicy }
      })
    })
  })
)
