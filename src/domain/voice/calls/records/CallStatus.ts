/** Where a call is in its life, and who began it. */
import { Schema } from "effect"

export const CallStatus = Schema.Literals([
  "queued",
  "ringing",
  "in_progress",
  "completed",
  "busy",
  "no_answer",
  "failed",
  "canceled"
])
export type CallStatus = typeof CallStatus.Type

/** Seen from the organization. */
export const CallDirection = Schema.Literals(["inbound", "outbound"])
export type CallDirection = typeof CallDirection.Type
