/** The columns of a call that say how far it is. */
import type { CallProgress } from "../../../../domain/voice/calls/records/CallProgress.ts"
import type { CallStatus } from "../../../../domain/voice/calls/records/CallStatus.ts"

export interface ProgressColumns {
  readonly status: CallStatus
  readonly endReason: string | null
  readonly providerStatus: CallStatus | null
  readonly providerSequence: number | null
}

/** Only the service itself gives a reason for an end, so a call with one is settled. */
export const progressOf = ({ status, endReason, providerStatus, providerSequence }: ProgressColumns): CallProgress => ({
  status,
  settled: endReason !== null,
  provider: providerStatus === null ? null : { status: providerStatus, sequence: providerSequence }
})
