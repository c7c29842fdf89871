/** What a report of usage is made of: the days that were asked for, and the current month, which the allowance is of. */
import { Clock, Effect } from "effect"
import { dayAt, period } from "../basics/Calendar.ts"
import type { Organization } from "../people/organizations/Organization.ts"

export interface UsagePeriod<Grouping extends string> {
  /** The first and the last day (`2026-11-01`), both included, in the organization's time zone. */
  readonly from: string
  readonly to: string
  readonly groupBy: Grouping
  readonly agentId?: string
}

/** How both reports can be grouped. */
type Common = "day" | "agent"

/** Reads both, the month by agent. Default: the current month until today, by day. `InvalidPeriod` when the days are none, or too many. */
export const reportedUsage = Effect.fnUntraced(function* <More extends string, Row>(
  { id, timeZone }: Organization,
  query: Partial<UsagePeriod<More | Common>>,
  read: (organizationId: string, query: UsagePeriod<More | Common>) => Effect.Effect<ReadonlyArray<Row>>
) {
  const today = dayAt(yield* Clock.currentTimeMillis, timeZone)
  const month = today.slice(0, 7)
  const firstOfMonth = `${month}-01`
  const { groupBy = "day", agentId } = query
  const { from, to } = yield* period(query, today, () => firstOfMonth)
  const rows = yield* read(id, { from, to, groupBy, ...(agentId === undefined ? {} : { agentId }) })
  const ofMonth = yield* read(id, { from: firstOfMonth, to: today, groupBy: "agent" })
  return { from, to, timeZone, groupBy, rows, month, ofMonth }
})
