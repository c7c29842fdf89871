import { describe, expect, it } from "@effect/vitest"
import { generatorOf, limitsOf, type Step } from "../../bench/crowd/Step.ts"
import { Tally } from "../../bench/crowd/Tally.ts"
import { exitCode } from "../../bench/support/Report.ts"
import { summarize } from "../../bench/support/Statistics.ts"

const onTime = summarize([1])

const stepOf = (asked: number, calls: number, invalid: string | null = null): Step => {
  const tally = new Tally()
  tally.times.lateness.push(1)
  tally.times.added.push(1)
  return {
    asked,
    calls,
    seconds: 30,
    engineCores: 0.5,
    appCores: null,
    residentBytes: 0,
    heldBytes: 0,
    gcMs: [],
    loopDelayMs: { p50: 0, p99: 0, max: 0 },
    tally,
    generator: { tickLatenessMs: onTime, cores: 0.1, stolenCores: 0, invalid }
  }
}

const exitOf = (...steps: ReadonlyArray<Step>) =>
  exitCode({ limits: steps.flatMap(limitsOf), generator: generatorOf(steps) })

describe("a bench of several steps", () => {
  it("succeeds when each has all its calls", () => {
    expect(exitOf(stepOf(100, 100), stepOf(200, 200))).toBe(0)
  })

  it("fails when calls were refused while they were added: fewer were measured than it says", () => {
    expect(exitOf(stepOf(100, 100), stepOf(500, 100))).toBe(1)
  })

  it("is invalid when the callers were the bottleneck in any of them, not only in the last", () => {
    expect(exitOf(stepOf(100, 100, "late"), stepOf(200, 200))).toBe(1)
    expect(generatorOf([stepOf(100, 100, "late"), stepOf(200, 200)]).invalid).toBe("late")
  })
})
