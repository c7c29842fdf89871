/** What an organization's calls used and cost, by day or by agent. */
import { Context, type Effect } from "effect"
import type { CallFilter } from "../voice/calls/records/CallFilter.ts"
import type { Charge } from "./Metering.ts"

export interface UsageQuery {
  /** First and last day (`2026-11-01`), both included, on the organization's calendar. */
  readonly from: string
  readonly to: string
  readonly groupBy: "day" | "agent"
  readonly agentId?: string
}

export interface UsageRow extends Charge {
  /** Null when rows are agents. */
  readonly day: string | null
  /** Null when rows are days, and for calls whose agent was removed before they were counted. */
  readonly agentId: string | null
  /** Null also for an agent that is gone. */
  readonly agentName: string | null
}

/** Written by the store in the transaction that ends a call; here it is read. */
export class VoiceUsage extends Context.Service<
  VoiceUsage,
  {
    /** Days in order, or agents with the most minutes first; those without calls are left out. */
    readonly read: (organizationId: string, query: UsageQuery) => Effect.Effect<ReadonlyArray<UsageRow>>
    /** All of an agent's calls that the filter lets through. */
    readonly ofCalls: (organizationId: string, agentId: string, filter: CallFilter) => Effect.Effect<Charge>
    /** `undefined` while a call is not counted: it has not ended, or was over within a second. */
    readonly ofCall: (organizationId: string, callId: string) => Effect.Effect<Charge | undefined>
  }
>()("parley/domain/VoiceUsage") {}
