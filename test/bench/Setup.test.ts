import { describe, expect, it } from "@effect/vitest"
import { Tally } from "../../bench/crowd/Tally.ts"
import { limitsOf, warmCalls } from "../../bench/setup.ts"
import { met } from "../../bench/support/Report.ts"

const setUp = (count: number, change: (tally: Tally) => void = () => undefined): Tally => {
  const tally = new Tally()
  tally.times.setup.push(...Array<number>(count).fill(50))
  change(tally)
  return tally
}
const missed = (warm: Tally, seen: Tally) =>
  limitsOf(warm, seen, 10)
    .filter((limit) => !met(limit))
    .map(({ name }) => name)

describe("the setup bench", () => {
  it("succeeds when all calls were set up and nothing else is wrong", () => {
    expect(missed(setUp(warmCalls), setUp(10))).toEqual([])
  })

  it("fails when calls end early, have wrong content or were requested twice, even when each was set up", () => {
    const seen = setUp(10, (tally) => {
      tally.failed = 1
      tally.errors.lost = 2
      tally.repeatedWebhooks = 3
    })
    expect(missed(setUp(warmCalls), seen)).toEqual([
      "content errors",
      "calls that failed",
      "webhooks without a good answer"
    ])
  })

  it("judges the earlier calls, too", () => {
    const warm = setUp(warmCalls - 1, (tally) => void tally.failed++)
    expect(missed(warm, setUp(10))).toEqual(["calls before that were not set up", "calls that failed, calls before"])
  })
})
