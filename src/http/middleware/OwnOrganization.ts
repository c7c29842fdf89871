/** Gives the caller's organization to handlers that need more than its id. */
import { Effect } from "effect"
import type { Scope } from "../../domain/people/access/Access.ts"
import { Organizations } from "../../domain/people/organizations/Organization.ts"
import { Forbidden } from "../wire/Errors.ts"
import { requireScope } from "./Authorization.ts"

/** Makes the function that gives the caller's organization. That function fails with 403 when the caller lacks the scope. */
export const makeOwnOrganization = Effect.map(Organizations, (organizations) =>
  Effect.fnUntraced(function* (scope: Scope) {
    const { organizationId } = yield* requireScope(scope)
    const organization = yield* organizations.find(organizationId)
    return organization ?? (yield* new Forbidden({ error: "This organization no longer exists." }))
  })
)
