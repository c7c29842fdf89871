/** The price of an organization's calls. Money is integer micro-dollars (1 USD = 1,000,000). */
import { Schema } from "effect"

export const microsPerUsd = 1_000_000

export const VoiceTerms = Schema.Struct({
  /** The minutes that are included in each calendar month of the organization's time zone. */
  minutesPerMonth: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100_000_000 })),
  overageMicrosPerMinute: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000 * microsPerUsd }))
})
export type VoiceTerms = typeof VoiceTerms.Type
