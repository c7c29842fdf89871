/** Use case: report an organization's voice usage between two days, with the allowance of the current month. */
import { Effect } from "effect"
import { traced } from "../basics/Traced.ts"
import { type Organization, voiceTermsOf } from "../people/organizations/Organization.ts"
import { addCharges, type Charge, noCharge, usageOf, usd } from "./Metering.ts"
import { reportedUsage } from "./ReportedUsage.ts"
import { type UsageQuery, type UsageRow, VoiceUsage } from "./VoiceUsage.ts"

const sum = (rows: ReadonlyArray<Charge>): Charge => rows.reduce(addCharges, noCharge)

const shown = (groupBy: UsageQuery["groupBy"], row: UsageRow) =>
  groupBy === "day"
    ? { day: row.day ?? "", ...usageOf(row) }
    : { agentId: row.agentId, agentName: row.agentName, ...usageOf(row) }

/** Needs VoiceUsage once; the function it gives needs nothing. */
export const makeUsageReport = Effect.gen(function* () {
  const usage = yield* VoiceUsage

  /** Default: the current month until today, by day. `total` is the sum of which `report.totals` is the shown form. */
  return traced("UsageReport")(function* (organization: Organization, query: Partial<UsageQuery>) {
    const { from, to, timeZone, groupBy, rows, month, ofMonth } = yield* reportedUsage(organization, query, usage.read)
    const terms = voiceTermsOf(organization)
    const used = sum(ofMonth).minutes
    const total = sum(rows)
    return {
      total,
      report: {
        from,
        to,
        timeZone,
        allowance: {
          month,
          minutes: terms.minutesPerMonth,
          used,
          remaining: Math.max(0, terms.minutesPerMonth - used),
          overagePrice: usd(terms.overageMicrosPerMinute)
        },
        totals: usageOf(total),
        data: rows.map((row) => shown(groupBy, row))
      }
    }
  })
})
