/** Conditions on calls. An absent field is no condition. */

import type { EndReason } from "../../engine/EndReason.ts"
import type { CallDirection, CallStatus } from "./CallStatus.ts"

export interface CallFilter {
  readonly agentId?: string | undefined
  readonly contactId?: string | undefined
  readonly conversationId?: string | undefined
  readonly direction?: CallDirection
  readonly status?: CallStatus
  readonly endReason?: EndReason
  /** The other party, who called or was called. As recorded: E.164 for telephones. */
  readonly phone?: string
  readonly minDurationSeconds?: number
  readonly maxDurationSeconds?: number
  /** With a turn whose answer began later than this after the caller's last sound. */
  readonly slowerThanMs?: number
  /** Recorded at this instant or later, Unix milliseconds. */
  readonly since?: number
  /** Recorded before this instant. */
  readonly before?: number
}
