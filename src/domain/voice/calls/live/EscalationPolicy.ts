/** How long an escalation rings, talks and waits, and where its webhooks are. */
import { Context } from "effect"

export const escalationDefaults = { ringSeconds: 30, maxWaitSeconds: 300, announceEverySeconds: 15 }

export class EscalationPolicy extends Context.Service<
  EscalationPolicy,
  {
    /** Address of the telephony webhooks, e.g. `https://app.example.com/api/webhooks/telephony`. */
    readonly webhooks: string
    /** How long a human's telephone rings. */
    readonly ringSeconds: number
    /** A caller who waits longer in line comes back to the agent. */
    readonly maxWaitSeconds: number
    /** Pause between two announcements of the caller's place. */
    readonly announceEverySeconds: number
  }
>()("parley/domain/EscalationPolicy") {}

/** How long a human may talk; the provider ends the call then, so a human is not busy for longer, whatever is lost. */
export const maxTalkSeconds = 4 * 3_600
/** A caller taken out of the line before reaching it (the agent is still talking) has this long to arrive. */
const arrivalMs = 60_000

/** Milliseconds after which `Transfers` counts a caller as not arriving, and a human as no longer talking. */
export const patienceOf = ({ ringSeconds }: EscalationPolicy["Service"]) => ({
  arrivalMs,
  talkMs: (maxTalkSeconds + ringSeconds) * 1_000
})
