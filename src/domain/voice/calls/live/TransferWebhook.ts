/** A webhook of the telephony provider about a transfer, and the answers it may get. */
import { Effect } from "effect"
import type { TelephonyConnection } from "../../telephony/PhoneNumber.ts"
import { Calls } from "../records/CallRecord.ts"
import { Transfers } from "../records/Transfer.ts"
import type { Answer } from "./ConnectCall.ts"
import type { ProviderLine } from "./ProviderVoice.ts"

/** What the provider is told to do: an answer like that to a voice webhook, or a step of a transfer. */
export type TransferAnswer =
  | Answer
  | { readonly _tag: "Dial"; readonly twiml: string }
  | ({ readonly _tag: "Wait"; readonly pauseSeconds: number; readonly again: string } & ProviderLine)
  | { readonly _tag: "Leave" }
  | { readonly _tag: "Nothing" }

/** What a webhook says of its call, whose account has been verified. */
export interface TransferWebhook {
  readonly connection: TelephonyConnection
  readonly transferId: string
  readonly callSid: string
  /** The provider's `CallStatus`: whether the caller is still there. */
  readonly callStatus: string
}

/** Whether a `callStatus` says that the caller is no longer there. */
export const callerGone = (callStatus: string): boolean =>
  /^(completed|canceled|busy|failed|no-answer)$/.test(callStatus)

/** Needs Transfers and Calls once; the function it gives needs nothing. */
export const makeTransferOfWebhook = Effect.gen(function* () {
  const transfers = yield* Transfers
  const calls = yield* Calls

  /** The transfer a webhook is about, when it belongs to the account and the call that the webhook names. */
  return Effect.fnUntraced(function* ({ connection, transferId, callSid }: TransferWebhook) {
    const { organizationId } = connection
    const transfer = yield* transfers.find(organizationId, transferId)
    const call = transfer === undefined ? undefined : yield* calls.find(organizationId, transfer.callId)
    return transfer === undefined || call?.callSid !== callSid ? undefined : { transfer, call }
  })
})
