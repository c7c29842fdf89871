/** How soon an organization wants to answer a conversation and to resolve it. */
import { Schema } from "effect"

/** Minutes, from one to a year. */
const Minutes = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 527_040 }))

export const SlaPolicy = Schema.Struct({
  /** From the contact's first message to our first answer; null: no limit. */
  firstResponseMinutes: Schema.NullOr(Minutes),
  /** From the contact's first message until the conversation is resolved; null: no limit. */
  resolutionMinutes: Schema.NullOr(Minutes),
  /** Whether only time within the business hours counts. */
  businessHoursOnly: Schema.Boolean
})
export type SlaPolicy = typeof SlaPolicy.Type
