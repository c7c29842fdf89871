/** Which calls of an agent are looked for; what is absent is not asked. */

import type { EndReason } from "../../engine/EndReason.ts"
import type { CallDirection, CallStatus } from "./CallStatus.ts"

export interface CallFilter {
  readonly direction?: CallDirection
  readonly status?: CallStatus
  readonly endReason?: EndReason
  /** The other side of the line: who called, or was called. As recorded, so E.164 for telephones. */
  readonly phone?: string
  readonly minDurationSeconds?: number
  readonly maxDurationSeconds?: number
  /** Recorded at this instant or later, Unix milliseconds. */
  readonly since?: number
  /** Recorded before this instant. */
  readonly before?: number
}
