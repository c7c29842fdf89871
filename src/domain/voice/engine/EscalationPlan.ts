import { Schema } from "effect"

/** The answer to an agent's request for a human. The engine tells the caller, then replaces the call's instructions with `twiml`. */
export const EscalationPlan = Schema.Union([
  Schema.Struct({ outcome: Schema.Literal("transfer"), twiml: Schema.String }),
  /** Every human is busy: the caller waits; `position` 1 is next. */
  Schema.Struct({ outcome: Schema.Literal("queue"), position: Schema.Int, twiml: Schema.String }),
  /** No human destination is configured. The conversation stays open for the team. */
  Schema.Struct({ outcome: Schema.Literal("nobody") })
])
export type EscalationPlan = typeof EscalationPlan.Type
export const nobody: EscalationPlan = { outcome: "nobody" }
