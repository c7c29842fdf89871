import { describe, expect, it } from "@effect/vitest"
import { Tally } from "../../bench/crowd/Tally.ts"
import { limitsOf } from "../../bench/outage.ts"
import { met } from "../../bench/support/Report.ts"

const missed = (live: number, change: (tally: Tally) => void = () => undefined) => {
  const tally = new Tally()
  change(tally)
  return limitsOf({ away: "nothing", tally, live }, 100)
    .filter((limit) => !met(limit))
    .map(({ name }) => name)
}

describe("the outage bench", () => {
  it("succeeds with all calls, and with new ones beside them", () => {
    expect([missed(100), missed(103)]).toEqual([[], []])
  })

  it("fails when calls are missing, even when they never began", () => {
    expect(missed(99)).toEqual(["calls missing of 100 before anything was away"])
  })

  it("fails when calls were refused or failed while they were added", () => {
    const refused = missed(100, (tally) => void tally.refused++)
    const failed = missed(100, (tally) => void tally.failed++)
    expect([refused, failed].flat()).toEqual(Array(2).fill("calls lost or refused before anything was away"))
  })
})
