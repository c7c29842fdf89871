import { Effect } from "effect"
import { Directory } from "../../../domain/people/access/Directory.ts"
import { makeManageOrganization } from "../../../domain/people/organizations/ManageOrganization.ts"
import { viewOfOrganization } from "../../../domain/people/organizations/OrganizationView.ts"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { makeOwnOrganization } from "../../middleware/OwnOrganization.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest } from "../../wire/Errors.ts"
import { toPage } from "../../wire/Paging.ts"

/** Needs Organizations, Directory and Audit. */
export const layer = group(
  AppApi,
  "organization",
  Effect.fn(function* (handlers) {
    const ownOrganization = yield* makeOwnOrganization
    const directory = yield* Directory
    const { setDetails } = yield* makeManageOrganization

    return handlers.handleAll({
      get: () => Effect.map(ownOrganization("status:read"), viewOfOrganization),
      update: Effect.fnUntraced(function* ({ payload }) {
        const organization = yield* ownOrganization("admin")
        if (Object.keys(payload).length === 0)
          return yield* new BadRequest({ error: "Send at least one of name and timeZone." })
        return viewOfOrganization({ ...organization, ...(yield* setDetails(organization, payload)) })
      }),
      people: Effect.fnUntraced(function* ({ query: { page = 1, limit = 1_000 } }) {
        const { organizationId } = yield* requireScope("conversations:read")
        return toPage(yield* directory.list(organizationId, page, limit), { page, limit })
      })
    })
  })
)
