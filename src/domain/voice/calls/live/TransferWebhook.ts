/** A webhook of the telephony provider about a transfer, and the answers it may get. */
import { Effect } from "effect"
import type { TelephonyConnection } from "../../telephony/PhoneNumber.ts"
import { Calls } from "../records/CallRecord.ts"
import { Transfers } from "../records/Transfer.ts"
import type { Answer } from "./ConnectCall.ts"
import type { ProviderLine } from "./ProviderVoice.ts"

/** What the provider is told to do: an answer as to a voice webhook, or a step of a transfer. */
export type TransferAnswer =
  | Answer
  | { readonly _tag: "Dial"; readonly twiml: string }
  | ({ readonly _tag: "Wait"; readonly pauseSeconds: number; readonly again: string } & ProviderLine)
  | { readonly _tag: "Leave" }
  | { readonly _tag: "Nothing" }

/** A webhook about a transfer. Its account has been verified. */
export interface TransferWebhook {
  readonly connection: TelephonyConnection
  readonly transferId: string
  readonly callSid: string
  /** The provider's `CallStatus`; it tells whether the caller is still on the line. */
  readonly callStatus: string
}

/** Whether a `callStatus` means that the caller is no longer on the line. */
export const callerGone = (callStatus: string): boolean =>
  /^(completed|canceled|busy|failed|no-answer)$/.test(callStatus)

/** Needs Transfers and Calls; the function it returns needs nothing. */
export const makeTransferOfWebhook = Effect.gen(function* () {
  const transfers = yield* Transfers
  const calls = yield* Calls

  /** The transfer of a webhook and its call; `undefined` when they do not belong to the account and call that the webhook names. */
  return Effect.fnUntraced(function* ({ connection, transferId, callSid }: TransferWebhook) {
    const { organizationId } = connection
    const transfer = yield* transfers.find(organizationId, transferId)
    const call = transfer === undefined ? undefined : yield* calls.find(organizationId, transfer.callId)
    return transfer === undefined || call?.callSid !== callSid ? undefined : { transfer, call }
  })
})
