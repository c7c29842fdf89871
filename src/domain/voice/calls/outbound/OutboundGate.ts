/**
 * Whether an organization may call a number now. It is checked twice: when the call is requested, and when it leaves the queue. So a flag
 * switched off, a consent withdrawn or the end of business hours in between counts.
 */
import { Clock, Effect } from "effect"
import { traced } from "../../../basics/Traced.ts"
import { DoNotCall } from "../../../people/contacts/DoNotCall.ts"
import { consentRefusal, VoiceConsents } from "../../../people/contacts/VoiceConsent.ts"
import { isOpen, nextOpening } from "../../../people/organizations/BusinessHours.ts"
import { type Organization, voiceRefusal } from "../../../people/organizations/Organization.ts"
import type { EndReason } from "../../engine/EndReason.ts"

/** `sentence` says why the call is not allowed; `endReason` is for a call that was already recorded. */
export interface OutboundRefusal {
  readonly sentence: string
  readonly endReason: EndReason
}

/** The refusal outside business hours, as a sentence; otherwise `undefined`. `now` is Unix time in milliseconds. */
const hoursRefusal = ({ businessHours, timeZone }: Organization, now: number): string | undefined => {
  if (isOpen(businessHours, timeZone, now)) return undefined
  const next = nextOpening(businessHours, timeZone, now)
  const when = next === undefined ? "" : ` They begin again at ${new Date(next).toISOString()}.`
  return `It is outside the organization's business hours.${when}`
}

/** Needs its ports; the function it returns needs nothing and gives `undefined` when the call is allowed. */
export const makeOutboundGate = Effect.gen(function* () {
  const consents = yield* VoiceConsents
  const doNotCall = yield* DoNotCall

  return traced("OutboundGate.refusal")(function* (
    organization: Organization,
    phone: string
  ): Effect.fn.Return<OutboundRefusal | undefined> {
    const refused = (sentence: string | undefined, endReason: EndReason = "error"): OutboundRefusal | undefined =>
      sentence === undefined ? undefined : { sentence, endReason }
    const now = yield* Clock.currentTimeMillis
    return (
      refused(voiceRefusal(organization)) ??
      refused(hoursRefusal(organization, now), "outside_hours") ??
      refused(consentRefusal(phone, yield* consents.history(organization.id, phone))) ??
      refused(yield* doNotCall.refusal(organization.id, phone))
    )
  })
})
