/** Port to the telephony provider's calls: placing one, and asking what became of it. */
import { Context, type Effect } from "effect"
import type { TelephonyAccount, TelephonyError } from "../../telephony/Telephony.ts"
import type { CallStatus } from "../records/CallStatus.ts"

export interface CallOrder {
  /** A number of this account, E.164. */
  readonly from: string
  readonly to: string
  /** Asked for instructions when the callee answers. */
  readonly answerUrl: string
  /** Told of every state of the call. */
  readonly statusUrl: string
  readonly ringSeconds: number
  /** Tell a person from an answering machine; the callee waits in silence meanwhile. */
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
    /** Never repeated: a failure without a status, or with a 5xx, leaves it open whether the call was placed. */
    readonly create: (account: TelephonyAccount, order: CallOrder) => Effect.Effect<ProviderCall, TelephonyError>
    readonly fetch: (account: TelephonyAccount, callSid: string) => Effect.Effect<ProviderCall, TelephonyError>
    /** The account's newest calls from and to these numbers that were placed over its REST interface. */
    readonly placed: (
      account: TelephonyAccount,
      numbers: { readonly from: string; readonly to: string }
    ) => Effect.Effect<ReadonlyArray<ProviderCall>, TelephonyError>
  }
>()("parley/domain/ProviderCalls") {}
