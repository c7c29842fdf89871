/** Before anything is made for an organization's calls: does it exist, and do its plan and flag allow voice? */
import { Effect } from "effect"
import { Organizations, voiceRefusal } from "../../people/organizations/Organization.ts"

/** The function it gives yields the organization, or fails with the sentence of the refusal. */
export const makeVoiceGate = Effect.map(Organizations, (organizations) =>
  Effect.fnUntraced(function* (organizationId: string) {
    const organization = yield* organizations.find(organizationId)
    if (organization === undefined) return yield* Effect.fail("This organization no longer exists.")
    const refusal = voiceRefusal(organization)
    return refusal === undefined ? organization : yield* Effect.fail(refusal)
  })
)
