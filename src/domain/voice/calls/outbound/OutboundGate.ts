/**
 * May this organization call this number now? Asked twice: when the call is asked for, and again when it leaves the queue, so that a flag
 * switched off, a consent withdrawn or a closing hour in between counts.
 */
import { Clock, Effect } from "effect"
import { traced } from "../../../basics/Traced.ts"
import { DoNotCall } from "../../../people/contacts/DoNotCall.ts"
import { consentRefusal, VoiceConsents } from "../../../people/contacts/VoiceConsent.ts"
import { isOpen, nextOpening } from "../../../people/organizations/BusinessHours.ts"
import { type Organization, voiceRefusal } from "../../../people/organizations/Organization.ts"
import type { EndReason } from "../../engine/EndReason.ts"

/** `sentence` says what stands against it; `endReason` is for a call that was already recorded. */
export interface OutboundRefusal {
  readonly sentence: string
  readonly endReason: EndReason
}

/** As a sentence; `now` is Unix time in milliseconds. */
const hoursRefusal = ({ businessHours, timeZone }: Organization, now: number): string | undefined => {
  if (isOpen(businessHours, timeZone, now)) return undefined
  const next = nextOpening(businessHours, timeZone, now)
  const when = next === undefined ? "" : ` They begin again at ${new Date(next).toISOString()}.`
  return `It is outside the organization's business hours.${when}`
}

/** Needs its ports once; the function it gives needs nothing. */
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
