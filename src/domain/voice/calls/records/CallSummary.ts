/** What a call came to: its summary, and what its agent is told to find. A model writes it after the call, in the background, once. */
import { Context, type Effect, Schema } from "effect"
import type { TokenUsage } from "../../../ai/providers/Reasoning.ts"
import { JsonRecord } from "../../../basics/Json.ts"
import type { CallRecord } from "./CallRecord.ts"

/** How a call ended for the caller. */
export const CallOutcome = Schema.Literals(["resolved", "needs_follow_up", "handed_over", "unresolved"])

/** What a model finds in a call. Absent texts are null. */
export const CallFindings = Schema.Struct({
  text: Schema.String,
  outcome: CallOutcome,
  /** Why the call took place. */
  reason: Schema.NullOr(Schema.String),
  /** What has to be done next, and by whom; null: nothing. */
  nextStep: Schema.NullOr(Schema.String),
  /** What `callFields` of the agent describes; null: the agent has none. */
  fields: Schema.NullOr(JsonRecord)
})
export type CallFindings = typeof CallFindings.Type

/**
 * - `waiting`: it is made soon, or tried again.
 * - `done`: the findings are there.
 * - `nothing_said`: nobody said anything that could be summed up.
 * - `unavailable`: there is none, and `problem` says why.
 */
export const SummaryState = Schema.Literals(["waiting", "done", "nothing_said", "unavailable"])
export type SummaryState = typeof SummaryState.Type

export const CallSummary = Schema.Struct({
  state: SummaryState,
  text: Schema.NullOr(CallFindings.fields.text),
  outcome: Schema.NullOr(CallOutcome),
  reason: CallFindings.fields.reason,
  nextStep: CallFindings.fields.nextStep,
  fields: CallFindings.fields.fields,
  problem: Schema.NullOr(Schema.String),
  /** When the state became what it is. */
  updatedAt: Schema.String
}).annotate({
  identifier: "CallSummary",
  examples: [
    {
      state: "done",
      text: "The caller asked whether the order 2041 is ready. It is, and will be picked up on Friday.",
      outcome: "resolved",
      reason: "Wanted to know whether the order 2041 is ready.",
      nextStep: "Keep the order at the counter until Friday.",
      fields: { orderNumber: "2041", pickUpOn: "Friday" },
      problem: null,
      updatedAt: "2026-11-21T19:01:24.000Z"
    }
  ]
})
export type CallSummary = typeof CallSummary.Type

/** A call whose summary is to be made. `attempt` is the first, second, …; only the worker that has the newest one may store something. */
export interface SummaryJob {
  readonly organizationId: string
  readonly callId: string
  readonly attempt: number
  /** The organization's tokens of this month. */
  readonly tokensThisMonth: number
}

/** How a summary ended. `usage` is counted in the same transaction. */
export type SummaryEnd =
  | { readonly state: "done"; readonly findings: CallFindings }
  | { readonly state: "nothing_said" }
  | { readonly state: "unavailable"; readonly problem: string }

/** Port of the stored summaries. Times are Unix milliseconds. */
export class CallSummaries extends Context.Service<
  CallSummaries,
  {
    /** Null: the call has not ended. */
    readonly find: (organizationId: string, callId: string) => Effect.Effect<CallSummary | null>
    /** Up to `most` due calls of any organization. Each goes to one worker only, and again to any after `leaseMs`. */
    readonly claim: (now: number, leaseMs: number, most: number) => Effect.Effect<ReadonlyArray<SummaryJob>>
    /** Stores the end with its event, if this attempt still has the call and its contact was not erased; counts the tokens in any case. */
    readonly end: (
      job: SummaryJob,
      call: Pick<CallRecord, "agentId">,
      end: SummaryEnd,
      usage: ReadonlyArray<TokenUsage>,
      now: number
    ) => Effect.Effect<void>
    /** Tries again at `dueAt`; counts the tokens. */
    readonly postpone: (
      job: SummaryJob,
      call: Pick<CallRecord, "agentId">,
      dueAt: number,
      usage: ReadonlyArray<TokenUsage>,
      now: number
    ) => Effect.Effect<void>
  }
>()("parley/domain/CallSummaries") {}
