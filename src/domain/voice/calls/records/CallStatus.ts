/** The status and the direction of a call. */
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

/** Direction from the organization's point of view. */
export const CallDirection = Schema.Literals(["inbound", "outbound"])
export type CallDirection = typeof CallDirection.Type
