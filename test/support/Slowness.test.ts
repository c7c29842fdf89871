import { spawn } from "node:child_process"
import { availableParallelism } from "node:os"
import { describe, expect, it } from "vitest"
import { blame, playsInRealTime, watchMachine } from "./Slowness.ts"
import { monotonicMs, windowMs } from "./SlownessWatch.ts"

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** Lets twice as many processes as there are cores compute for this long. */
const keepBusy = async (ms: number) => {
  const programs = Array.from({ length: 2 * availableParallelism() }, () =>
    spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" })
  )
  const ended = programs.map((program) => new Promise((done) => program.once("exit", done)))
  await pause(ms)
  for (const program of programs) program.kill("SIGKILL")
  await Promise.all(ended)
}

describe("the message that the machine was too slow", () => {
  it("is given when a timer or a thread was late, and says how late", () => {
    expect(blame({ timerLateMs: 12, waitedMs: 24 })).toBeUndefined()
    expect(blame({ timerLateMs: 312.4, waitedMs: 24 })).toBe(
      "the machine was too slow: its timer was 312 ms late, and a thread waited 24 of 500 ms for a core"
    )
    expect(blame({ timerLateMs: 0, waitedMs: 240 })).toContain("waited 240 of 500 ms")
  })

  it("is not given for a program that blocks its event loop", async () => {
    const machine = await watchMachine()
    const begun = monotonicMs()
    const before = process.cpuUsage()
    while (monotonicMs() < begun + 2 * windowMs) {
      // Computes.
    }
    const { user, system } = process.cpuUsage(before)
    const { timerLateMs, waitedMs } = await machine.since(begun)
    await machine.stop()
    const withoutCore = 2 * windowMs - (user + system) / 1_000
    // Other threads of the process compute a little as well.
    expect(waitedMs).toBeLessThan(Math.max(0, withoutCore) + 100)
    expect(timerLateMs).toBeLessThan(windowMs)
  })

  it.runIf(process.platform === "linux")("is given when there are more busy processes than cores", async () => {
    const machine = await watchMachine()
    const begun = monotonicMs()
    await keepBusy(1_500)
    const slowness = await machine.since(begun)
    await machine.stop()
    expect(blame(slowness)).toMatch(/^the machine was too slow/)
  })
})

describe("a test that plays in real time", () => {
  playsInRealTime()
  let runs = 0

  it.runIf(process.platform === "linux")("is run again when it failed on a slow machine", async ({ task }) => {
    task.meta.isToBePlayedAgain = true
    if (runs++ > 0) return
    await keepBusy(1_500)
    expect.fail("too late")
  })
})
