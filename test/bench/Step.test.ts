import { describe, expect, it } from "@effect/vitest"
import { generatorOf, limitsOf, type Measurable, measure, type Step } from "../../bench/crowd/Step.ts"
import { contentTable } from "../../bench/crowd/StepReport.ts"
import { Tally } from "../../bench/crowd/Tally.ts"
import { exitCode, met } from "../../bench/support/Report.ts"
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

describe("a step", () => {
  const reading = {
    cpuSeconds: 1,
    residentBytes: 0,
    heapBytes: 0,
    externalBytes: 0,
    gcMs: [],
    loopDelayMs: { p50: 0, p99: 0, max: 0 },
    handles: {},
    openFiles: 0,
    openSockets: 0,
    fibers: 0
  }
  const service = { read: () => Promise.resolve(reading), usage: () => Promise.resolve(reading) }
  const measured = (tally: Tally) => {
    const stage: Measurable = { crowd: { live: 2 }, tally, probed: true, engine: service, app: service }
    return measure(stage, 2, 0, () => undefined)
  }
  const missed = (step: Step) =>
    limitsOf(step)
      .filter((limit) => !met(limit) && !Number.isNaN(limit.value))
      .map(({ name }) => name)

  it("fails because of earlier errors of the calls that were added for it", async () => {
    const tally = new Tally()
    tally.errors.crossed = 1
    tally.errors.lost = 3
    tally.note("caller 7 heard an answer to caller 8")
    const step = await measured(tally)
    expect(missed(step)).toEqual(["content errors, 2 calls"])
    expect(step.tally.errors).toMatchObject({ crossed: 1, lost: 3 })
    expect(step.tally.notes).toEqual(["caller 7 heard an answer to caller 8"])
  })

  it("fails because of a call that failed before it", async () => {
    const tally = new Tally()
    tally.failed = 1
    expect(missed(await measured(tally))).toEqual(["calls that failed, 2 calls"])
  })

  it("fails because of an earlier webhook whose first attempt failed, although the second succeeded", async () => {
    const tally = new Tally()
    tally.repeatedWebhooks = 2
    const step = await measured(tally)
    expect(missed(step)).toEqual(["webhooks without a good answer, 2 calls"])
    const { columns, rows } = contentTable([step])
    expect(rows[0][columns.indexOf("webhooks repeated")]).toBe(2)
  })

  it("ignores refusals, pauses and lateness from before it", async () => {
    const tally = new Tally()
    tally.refused = 5
    tally.underruns = 2
    tally.times.lateness.push(900)
    const step = await measured(tally)
    expect(missed(step)).toEqual([])
    expect([step.tally.refused, step.tally.times.lateness]).toEqual([0, []])
  })

  it("passes none of its errors on to the next step", async () => {
    const tally = new Tally()
    tally.errors.stale = 1
    await measured(tally)
    expect((await measured(tally)).tally.contentErrors).toBe(0)
  })
})
