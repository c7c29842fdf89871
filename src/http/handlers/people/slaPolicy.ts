import { Effect } from "effect"
import { makeManageOrganization } from "../../../domain/people/organizations/ManageOrganization.ts"
import { AppApi } from "../../groups/Api.ts"
import { makeOwnOrganization } from "../../middleware/OwnOrganization.ts"
import { group } from "../../server/RequestServices.ts"

/** Needs Organizations and Audit. */
export const layer = group(
  AppApi,
  "slaPolicy",
  Effect.fn(function* (handlers) {
    const ownOrganization = yield* makeOwnOrganization
    const { setSlaPolicy } = yield* makeManageOrganization

    return handlers.handleAll({
      get: Effect.fnUntraced(function* () {
        const { slaPolicy } = yield* ownOrganization("conversations:read")
        return { slaPolicy }
      }),
      set: Effect.fnUntraced(function* ({ payload: { slaPolicy } }) {
        const organization = yield* ownOrganization("admin")
        return yield* setSlaPolicy(organization, slaPolicy)
      })
    })
  })
)
