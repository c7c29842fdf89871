/** Periods, and the report that counted rows make. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { addDays } from "../../../src/domain/basics/Calendar.ts"
import { GroupBy } from "../../../src/domain/usage/Analytics.ts"
import { analyticsOf, periodOf, periodsBetween } from "../../../src/domain/usage/AnalyticsReport.ts"
import type { AnalyticsRows } from "../../../src/domain/usage/AnalyticsStore.ts"

const nothing: AnalyticsRows = {
  messages: [],
  opened: [],
  answered: [],
  resolved: [],
  calls: [],
  hours: [],
  latency: { turns: 0, medianMs: null, p90Ms: null, p95Ms: null, steps: [] },
  broadcasts: { started: 0, statuses: {} },
  names: {}
}
const asked = { from: "2026-11-02", to: "2026-11-15", timeZone: "Asia/Kolkata", groupBy: "week" } as const

describe("analytics", () => {
  it.each([
    ["2026-11-21", "day", "2026-11-21"],
    ["2026-11-21", "week", "2026-11-16"],
    ["2026-11-16", "week", "2026-11-16"],
    ["2026-11-15", "week", "2026-11-09"],
    ["2026-01-01", "week", "2025-12-29"],
    ["2028-02-29", "month", "2028-02-01"]
  ] as const)("%s is in the %s that begins on %s", (day, groupBy, period) => {
    assert.strictEqual(periodOf(day, groupBy), period)
  })

  it("have every period once, in order, and no period without a day", () => {
    fc.assert(
      fc.property(fc.nat(20_000), fc.nat(365), fc.constantFrom(...GroupBy.literals), (start, length, groupBy) => {
        const from = addDays("2000-01-01", start)
        const to = addDays(from, length)
        const periods = periodsBetween(from, to, groupBy)
        assert.deepStrictEqual(periods, [...new Set(periods)].sort())
        assert.strictEqual(periods[0], periodOf(from, groupBy))
        assert.strictEqual(periods.at(-1), periodOf(to, groupBy))
        if (groupBy === "day") assert.lengthOf(periods, length + 1)
        for (const period of periods) assert.strictEqual(periodOf(period, groupBy), period)
      })
    )
  })

  it("consist of zeros and nulls when nothing happened", () => {
    const report = analyticsOf(nothing, asked)
    assert.deepStrictEqual(report.messages, { total: 0, inbound: 0, outbound: 0, byType: {}, byStatus: {} })
    assert.isNull(report.conversations.firstResponse.medianSeconds)
    assert.deepStrictEqual([report.channels, report.people], [[], []])
    assert.deepStrictEqual(
      report.data.map(({ period }) => period),
      ["2026-11-02", "2026-11-09"]
    )
  })

  it("add up, however messages are spread", () => {
    const message = fc.record({
      period: fc.constantFrom("2026-11-02", "2026-11-09"),
      channel: fc.constantFrom("messaging", "team_chat"),
      direction: fc.constantFrom("inbound", "outbound" as const),
      type: fc.constantFrom("text", "image", "template"),
      count: fc.nat(1_000)
    })
    fc.assert(
      fc.property(fc.array(message), (given) => {
        const rows = given.flatMap(({ direction, count, ...keys }) =>
          (["period", "channel", "type"] as const).map((grouping) => ({
            grouping,
            key: keys[grouping],
            direction,
            count
          }))
        )
        const { messages, channels, data } = analyticsOf({ ...nothing, messages: rows }, asked)
        const total = given.reduce((sum, { count }) => sum + count, 0)
        const both = ({ inbound, outbound }: { inbound: number; outbound: number }) => inbound + outbound
        const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((all, number) => all + number, 0)
        assert.strictEqual(messages.total, total)
        assert.strictEqual(both(messages), total)
        assert.strictEqual(sum(Object.values(messages.byType)), total)
        assert.strictEqual(sum(channels.map((channel) => both(channel.messages))), total)
        assert.strictEqual(sum(data.map((period) => both(period.messages))), total)
      })
    )
  })

  it("name the people who did something, the busiest first, and leave out keys and broadcasts", () => {
    const who = (key: string, count: number) => ({ grouping: "who" as const, key, direction: null, count })
    const { people } = analyticsOf(
      { ...nothing, messages: [who("usr_1", 2), who("agt_1", 5), who("key_1", 9)], names: { usr_1: "Ada" } },
      asked
    )
    assert.deepStrictEqual(
      people.map(({ id, name, messagesSent }) => [id, name, messagesSent]),
      [
        ["agt_1", null, 5],
        ["usr_1", "Ada", 2]
      ]
    )
  })
})
