import { Schema } from "effect"

/** Why a call ended. */
export const EndReason = Schema.Literals([
  "caller_hangup",
  "agent_hangup",
  "silence",
  "max_duration",
  "transferred",
  "queued_for_human",
  "outside_hours",
  "moderation",
  "provider_failure",
  "capacity",
  "error"
])
export type EndReason = typeof EndReason.Type
