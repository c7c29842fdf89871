/** How long an organization keeps what was said, in days. */
import { Schema } from "effect"

const days = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3_650 }))

export const RetentionPolicy = Schema.Struct({
  transcriptDays: days,
  recordingDays: days,
  /** The audits of tools and of moderation. */
  toolCallDays: days,
  /** Messages and their files; null: kept. */
  messageDays: Schema.NullOr(days)
})
export type RetentionPolicy = typeof RetentionPolicy.Type

export const defaultRetention: RetentionPolicy = {
  transcriptDays: 90,
  recordingDays: 90,
  toolCallDays: 365,
  messageDays: null
}
