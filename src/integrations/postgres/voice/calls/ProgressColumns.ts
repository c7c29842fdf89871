/** The columns of a call that hold its progress. */
import type { CallProgress } from "../../../../domain/voice/calls/records/CallProgress.ts"
import type { CallStatus } from "../../../../domain/voice/calls/records/CallStatus.ts"

export interface ProgressColumns {
  readonly status: CallStatus
  readonly endReason: string | null
  readonly providerStatus: CallStatus | null
  readonly providerSequence: number | null
}

/** The progress of a call. Only the service itself sets the reason of an end, so a call with a reason is settled. */
export const progressOf = ({ status, endReason, providerStatus, providerSequence }: ProgressColumns): CallProgress => ({
  status,
  settled: endReason !== null,
  provider: providerStatus === null ? null : { status: providerStatus, sequence: providerSequence }
})
