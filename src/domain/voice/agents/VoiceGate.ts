/** Checks that an organization exists and that its plan and flag allow voice, before anything is created for its calls. */
import { Effect } from "effect"
import { voiceRefusal } from "../../people/organizations/Organization.ts"
import { makeOrganizationOf } from "../../people/organizations/PlanGate.ts"

/** Needs Organizations. The function it returns gives the organization, or fails with the refusal as a sentence. */
export const makeVoiceGate = Effect.map(makeOrganizationOf, (organizationOf) =>
  Effect.fnUntraced(function* (organizationId: string) {
    const organization = yield* organizationOf(organizationId)
    if (organization === undefined) return yield* Effect.fail("This organization no longer exists.")
    const refusal = voiceRefusal(organization)
    return refusal === undefined ? organization : yield* Effect.fail(refusal)
  })
)
