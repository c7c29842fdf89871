/** The page of running calls, and the hours of a week, as far as they are computed. */
import { describe, expect, it } from "vitest"
import { afterUpdate, needsMe, ordered, withWords } from "../../web/src/features/live/live.ts"
import { overnight, usualWeek, weeklyOf, weekOf } from "../../web/src/features/settings/hours.ts"

const at = (second: number) => new Date(Date.UTC(2026, 10, 26, 10, 0, second)).toISOString()
const now = Date.parse(at(40))

type Calls = ReturnType<typeof ordered>

const call = (id: string, state: Calls[number]["state"], since: string, startedAt = at(0)) =>
  ({ id, state, since, startedAt, createdAt: at(0), status: "in_progress", lastWords: [] }) as unknown as Calls[number]

const updated = (id: string, state: "agent" | "silence" | "over", since: string) => ({
  type: "call.updated" as const,
  createdAt: since,
  data: { call: { id, agentId: "agt_1", state, since } }
})

describe("running calls", () => {
  it("stand in the order in which somebody is needed: who waits longest for a human first, then the newest", () => {
    const calls = [
      call("old", "agent", at(39), at(1)),
      call("quiet", "silence", at(20)),
      call("waits", "waiting", at(10)),
      call("new", "silence", at(38), at(30))
    ]
    expect(ordered(calls, now).map(({ id }) => id)).toEqual(["waits", "quiet", "new", "old"])
    expect(calls.filter((one) => needsMe(one, now)).map(({ id }) => id)).toEqual(["quiet", "waits"])
  })

  it("go on as events tell, but never back, and are read again when one is not known", () => {
    const calls = [call("a", "silence", at(10))]
    expect(afterUpdate(calls, updated("a", "agent", at(12)))?.[0]).toMatchObject({ state: "agent", since: at(12) })
    expect(afterUpdate(calls, updated("a", "agent", at(9)))?.[0]).toMatchObject({ state: "silence" })
    expect(afterUpdate(calls, updated("b", "agent", at(12)))).toBeUndefined()
    expect(afterUpdate(calls, updated("a", "over", at(12)))).toEqual([])
    expect(afterUpdate(calls, updated("b", "over", at(12)))).toBe(calls)
  })

  it("keep the last three sentences of each", () => {
    const words = (text: string, startMs: number) => ({
      type: "call.words" as const,
      createdAt: at(1),
      data: { call: { id: "a" }, role: "caller" as const, text, final: true, startMs }
    })
    let calls: Calls = [call("a", "agent", at(1))]
    for (const [index, text] of ["one", "two", "three", "four"].entries()) calls = withWords(calls, words(text, index))
    expect(calls[0].lastWords.map(({ text }) => text)).toEqual(["two", "three", "four"])
  })
})

describe("the hours of a week", () => {
  it("come back from the form as they went in, day by day, and know those that go into the next day", () => {
    const weekly = [
      { day: "monday" as const, opens: "09:00", closes: "12:00" },
      { day: "monday" as const, opens: "13:00", closes: "24:00" },
      { day: "friday" as const, opens: "20:00", closes: "02:00" }
    ]
    expect(weeklyOf(weekOf({ weekly }))).toEqual(weekly)
    expect(weekly.map(overnight)).toEqual([false, false, true])
    expect(weeklyOf(usualWeek)).toHaveLength(5)
  })
})
