/** The TwiML that tells the telephony provider what to do with a call during its transfer to a human. */
import * as Twiml from "../../telephony/twilio/Twiml.ts"
import type { CallRecord } from "../records/CallRecord.ts"
import type { Transfer } from "../records/Transfer.ts"
import { type EscalationPolicy, maxTalkSeconds } from "./EscalationPolicy.ts"

/** The functions that build the documents of transfers under this policy. */
export const transferInstructions = (policy: EscalationPolicy["Service"]) => {
  const webhook = (path: string, { id }: Transfer) => `${policy.webhooks}/${path}?transfer=${encodeURIComponent(id)}`

  /** The URL that says what a caller in the line hears next. */
  const waitUrl = (transfer: Transfer): string => webhook("queue/wait", transfer)

  /** Connects the call to a human. */
  const dial = (transfer: Transfer, call: CallRecord, destination: string): string => {
    const own = call.direction === "inbound" ? call.to : call.from
    return Twiml.dial(destination, {
      // The caller id on the human's telephone must be a number of this account.
      ...(own.startsWith("+") ? { callerId: own } : {}),
      timeoutSeconds: policy.ringSeconds,
      timeLimitSeconds: maxTalkSeconds,
      action: webhook("transfer/ended", transfer)
    })
  }

  /** Puts the call into the waiting line. */
  const enqueue = (transfer: Transfer): string =>
    Twiml.enqueue("humans", { waitUrl: waitUrl(transfer), action: webhook("queue/left", transfer) })

  return { waitUrl, dial, enqueue }
}
