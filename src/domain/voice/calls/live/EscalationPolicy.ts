/** Time limits of an escalation (ringing, talking, waiting), and the address of its webhooks. */
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

/** How long a human may talk, in seconds. The provider then ends the call, so no human is busy for longer, even if a webhook is lost. */
export const maxTalkSeconds = 4 * 3_600
/** How long a caller may take to arrive in the line (ms) when its turn comes while the agent is still talking. */
const arrivalMs = 60_000

/** The times (ms) after which `Transfers` assumes that a caller will not arrive, and that a human no longer talks. */
export const patienceOf = ({ ringSeconds }: EscalationPolicy["Service"]) => ({
  arrivalMs,
  talkMs: (maxTalkSeconds + ringSeconds) * 1_000
})
