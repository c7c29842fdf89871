/** How long an organization keeps transcripts, recordings, audits and messages, in days. */
import { Schema } from "effect"

const days = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3_650 }))

export const RetentionPolicy = Schema.Struct({
  transcriptDays: days,
  recordingDays: days,
  /** The audits of tool calls and of moderation. */
  toolCallDays: days,
  /** Messages and their files; null: they are kept without limit. */
  messageDays: Schema.NullOr(days)
}).annotate({
  title: "RetentionPolicy",
  examples: [{ transcriptDays: 90, recordingDays: 30, toolCallDays: 365, messageDays: null }]
})
export type RetentionPolicy = typeof RetentionPolicy.Type

export const defaultRetention: RetentionPolicy = {
  transcriptDays: 90,
  recordingDays: 90,
  toolCallDays: 365,
  messageDays: null
}
