/** Whose request it is, where a handler needs more than the id. */
import { Effect } from "effect"
import type { Scope } from "../../domain/people/access/Access.ts"
import { Organizations } from "../../domain/people/organizations/Organization.ts"
import { Forbidden } from "../wire/Errors.ts"
import { requireScope } from "./Authorization.ts"

/** The function it gives yields the caller's organization, when the caller has the scope; 403 otherwise. */
export const makeOwnOrganization = Effect.map(Organizations, (organizations) =>
  Effect.fnUntraced(function* (scope: Scope) {
    const { organizationId } = yield* requireScope(scope)
    const organization = yield* organizations.find(organizationId)
    return organization ?? (yield* new Forbidden({ error: "This organization no longer exists." }))
  })
)
