/** The usage and cost of an organization's calls, by day or by agent. */
import { Context, type Effect } from "effect"
import type { CallFilter } from "../voice/calls/records/CallFilter.ts"
import type { Charge } from "./Metering.ts"
import type { UsagePeriod } from "./ReportedUsage.ts"

export type UsageQuery = UsagePeriod<"day" | "agent">

export interface UsageRow extends Charge {
  /** Null when the report is by agent. */
  readonly day: string | null
  /** Null when the report is by day, and for calls whose agent was removed before they were counted. */
  readonly agentId: string | null
  /** Null also for an agent that does not exist any more. */
  readonly agentName: string | null
}

/** Port to read usage. The store writes it in the transaction that ends a call. */
export class VoiceUsage extends Context.Service<
  VoiceUsage,
  {
    /** Days in order, or agents with the most minutes first. Days and agents without calls are left out. */
    readonly read: (organizationId: string, query: UsageQuery) => Effect.Effect<ReadonlyArray<UsageRow>>
    /** The charge for the calls that match the filter. */
    readonly ofCalls: (organizationId: string, filter: CallFilter) => Effect.Effect<Charge>
    /** `undefined` when the call is not counted: it has not ended, or lasted less than a second. */
    readonly ofCall: (organizationId: string, callId: string) => Effect.Effect<Charge | undefined>
  }
>()("parley/domain/VoiceUsage") {}
