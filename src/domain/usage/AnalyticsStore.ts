/** The counts that a report is made of, and where they come from. */
import { Context, type Effect } from "effect"
import type { CallLatency, Durations, GroupBy, HourOfWeek } from "./Analytics.ts"

/** What a row counts: everything (`all`), or the part with one `key` (a day, a type, a channel, …). */
export type Grouping = "all" | "period" | "type" | "status" | "channel" | "who" | "endReason" | "direction"

export interface MessageRow {
  readonly grouping: Grouping
  readonly key: string | null
  readonly direction: "inbound" | "outbound" | null
  readonly count: number
}
export interface OpenedRow {
  readonly grouping: Grouping
  readonly key: string | null
  readonly count: number
}
export interface DurationRow extends Durations {
  readonly grouping: Grouping
  readonly key: string | null
}
export interface CallRow extends OpenedRow {
  readonly seconds: number
  readonly averageSeconds: number | null
  readonly escalated: number
}

/** The counts from the database. */
export interface AnalyticsRows {
  readonly messages: ReadonlyArray<MessageRow>
  readonly opened: ReadonlyArray<OpenedRow>
  readonly answered: ReadonlyArray<DurationRow>
  readonly resolved: ReadonlyArray<DurationRow>
  readonly calls: ReadonlyArray<CallRow>
  readonly hours: ReadonlyArray<HourOfWeek>
  readonly latency: CallLatency
  readonly broadcasts: { readonly started: number; readonly statuses: Readonly<Record<string, number>> }
  /** The names of people and AI agents in the rows, by id, as far as they are known. */
  readonly names: Readonly<Record<string, string>>
}

/** The range from one instant until, not including, another (Unix milliseconds). */
export interface AnalyticsRange {
  readonly from: number
  readonly to: number
  readonly groupBy: GroupBy
  readonly timeZone: string
}

export class AnalyticsStore extends Context.Service<
  AnalyticsStore,
  { readonly read: (organizationId: string, range: AnalyticsRange) => Effect.Effect<AnalyticsRows> }
>()("parley/domain/AnalyticsStore") {}
