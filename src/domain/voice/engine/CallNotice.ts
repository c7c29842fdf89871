/** The engine's request for what has happened outside of a call since, and the app's answer. It asks while a tool of the call has said that more will come. */
import { Schema } from "effect"
import { exampleIds } from "../../basics/Examples.ts"

export const CallNoticesWanted = Schema.Struct({
  organizationId: Schema.String,
  callId: Schema.String,
  /** The position of the newest notice that the engine knows; 0 at first. */
  after: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))
}).annotate({
  title: "CallNoticesWanted",
  examples: [{ organizationId: exampleIds.organization, callId: exampleIds.call, after: 0 }]
})
export type CallNoticesWanted = typeof CallNoticesWanted.Type

export const CallNotice = Schema.Struct({
  position: Schema.Number,
  /** A sentence for the agent. */
  text: Schema.String
})
export type CallNotice = typeof CallNotice.Type

export const CallNoticesFound = Schema.Struct({ notices: Schema.Array(CallNotice) }).annotate({
  title: "CallNoticesFound",
  examples: [{ notices: [{ position: 7, text: "The payment link for 59.23 USD (Order 427) has been paid." }] }]
})
export type CallNoticesFound = typeof CallNoticesFound.Type
