/** Resources after a thousand calls: fibers, heap, sockets and timers. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Metric, Option } from "effect"
import { freePort } from "../../src/integrations/web/FreePort.ts"
import { collectGarbage } from "../support/garbage.ts"
import { startParley } from "../support/parley.ts"
import { playsInRealTime } from "../support/Slowness.ts"

playsInRealTime()

const total = 1_000

/** Counts the running fibers, as they start and end. */
let fibers = 0
let started = 0
const countFibers: Metric.FiberRuntimeMetricsService = {
  recordFiberStart: () => {
    fibers++
    started++
  },
  recordFiberEnd: () => {
    fibers--
  }
}

const settled = Effect.gen(function* () {
  yield* Effect.sleep("1 second")
  collectGarbage()
  const resources = process.getActiveResourcesInfo()
  return {
    fibers,
    heapMb: process.memoryUsage().heapUsed / 1e6,
    sockets: resources.filter((name) => name.includes("TCP")).length,
    timers: resources.filter((name) => name === "Timeout").length
  }
})

describe("a thousand calls one after another", () => {
  it.live(
    "leave fibers, heap, sockets and timers where they were",
    () =>
      Effect.gen(function* () {
        const internalPort = yield* Effect.promise(freePort)
        const internal = { host: "127.0.0.1", port: Option.some(internalPort) }
        const parley = yield* startParley({ lines: { hello: "Hello." }, settings: { internal } })
        const one = (index: number) =>
          parley.network.call({
            from: `+1415555${String(1_000 + (index % 9_000))}`,
            to: parley.tenant.calledNumber,
            caller: async (caller) => {
              await caller.waitForAgentToSpeak()
              caller.hangUp()
            }
          })
        const many = (from: number, count: number) =>
          Effect.forEach(
            Array.from({ length: count }, (_, i) => from + i),
            (i) => Effect.promise(() => one(i)),
            {
              discard: true,
              concurrency: 10
            }
          )
        yield* many(0, 100)
        const before = yield* settled
        yield* many(100, total)
        yield* parley.stored
        const after = yield* settled
        const metrics = yield* Effect.promise(() =>
          fetch(`http://127.0.0.1:${internalPort}/metrics`).then((answer) => answer.text())
        )
        assert.match(metrics, /^parley_calls_live(\{[^}]*\})? 0$/m)
        assert.isAbove(started, total, "fibers are being counted")
        assert.isAtMost(after.fibers, before.fibers + 2)
        assert.isAtMost(after.sockets, before.sockets + 2)
        assert.isAtMost(after.timers, before.timers + 3)
        // 1,000 calls that each kept 5 KB would show as 5 MB.
        assert.isAtMost(after.heapMb - before.heapMb, 5, `${before.heapMb} MB, then ${after.heapMb} MB`)
      }).pipe(Effect.scoped, Effect.provideService(Metric.FiberRuntimeMetrics, countFibers)),
    240_000
  )
})
