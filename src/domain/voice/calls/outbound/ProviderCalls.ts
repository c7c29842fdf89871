/** Port to the telephony provider for placing calls and asking for their state. */
import { Context, type Effect } from "effect"
import type { TelephonyAccount, TelephonyError } from "../../telephony/Telephony.ts"
import type { CallStatus } from "../records/CallStatus.ts"

export interface CallOrder {
  /** A number of this account, E.164. */
  readonly from: string
  readonly to: string
  /** The URL that the provider asks for instructions when the callee answers. */
  readonly answerUrl: string
  /** The URL that the provider tells every state of the call. */
  readonly statusUrl: string
  readonly ringSeconds: number
  /** Whether the provider tells a person from an answering machine. The callee waits in silence meanwhile. */
  readonly machineDetection: boolean
}

/** A call as the provider shows it. */
export interface ProviderCall {
  readonly callSid: string
  readonly status: CallStatus
  /** Unix time in milliseconds; null when the provider does not say. */
  readonly createdAt: number | null
  readonly endedAt: number | null
  readonly durationSeconds: number | null
}

export class ProviderCalls extends Context.Service<
  ProviderCalls,
  {
    /** Places a call. The request is never repeated: after a failure without a status, or with a 5xx, the call may have been placed. */
    readonly create: (account: TelephonyAccount, order: CallOrder) => Effect.Effect<ProviderCall, TelephonyError>
    readonly fetch: (account: TelephonyAccount, callSid: string) => Effect.Effect<ProviderCall, TelephonyError>
    /** The account's newest calls from and to these numbers that were placed over its REST interface. */
    readonly placed: (
      account: TelephonyAccount,
      numbers: { readonly from: string; readonly to: string }
    ) => Effect.Effect<ReadonlyArray<ProviderCall>, TelephonyError>
  }
>()("parley/domain/ProviderCalls") {}
