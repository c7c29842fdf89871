/** What the telephony provider is told to do with a call on its way to a human, in TwiML. */
import * as Twiml from "../../telephony/twilio/Twiml.ts"
import type { CallRecord } from "../records/CallRecord.ts"
import type { Transfer } from "../records/Transfer.ts"
import { type EscalationPolicy, maxTalkSeconds } from "./EscalationPolicy.ts"

/** The documents of transfers under this policy. */
export const transferInstructions = (policy: EscalationPolicy["Service"]) => {
  const webhook = (path: string, { id }: Transfer) => `${policy.webhooks}/${path}?transfer=${encodeURIComponent(id)}`

  /** Where a caller in the line asks again what to hear. */
  const waitUrl = (transfer: Transfer): string => webhook("queue/wait", transfer)

  /** Puts the call through to a human. */
  const dial = (transfer: Transfer, call: CallRecord, destination: string): string => {
    const own = call.direction === "inbound" ? call.to : call.from
    return Twiml.dial(destination, {
      // What the human's telephone shows must be a number of this account.
      ...(own.startsWith("+") ? { callerId: own } : {}),
      timeoutSeconds: policy.ringSeconds,
      timeLimitSeconds: maxTalkSeconds,
      action: webhook("transfer/ended", transfer)
    })
  }

  /** Lets the call wait in the line. */
  const enqueue = (transfer: Transfer): string =>
    Twiml.enqueue("humans", { waitUrl: waitUrl(transfer), action: webhook("queue/left", transfer) })

  return { waitUrl, dial, enqueue }
}
