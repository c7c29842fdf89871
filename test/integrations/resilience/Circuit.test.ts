import { assert, describe, it } from "@effect/vitest"
import { Data, Deferred, Effect, Fiber, Metric } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { TestClock } from "effect/testing"
import { makeCircuit } from "../../../src/integrations/resilience/Circuit.ts"

class Trouble extends Data.TaggedError("Trouble")<{ readonly reason: string }> {}

const provider = "text-to-speech/test"
const circuit = makeCircuit<Trouble>({
  provider,
  reasonOf: (error) => error.reason,
  refuse: () => new Trouble({ reason: "refused" }),
  policy: { failures: 3, openMs: 1_000, longestOpenMs: 3_000 }
})

const unavailable = Effect.fail(new Trouble({ reason: "unavailable" }))
const reasonOf = (request: Effect.Effect<unknown, Trouble>) => Effect.map(Effect.flip(request), (error) => error.reason)

/** The state that `/metrics` shows, and the errors by reason. */
const shown = Effect.map(PrometheusMetrics.format(), (text) => {
  const samples = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}{.*(?:state|reason)="(\\w+)".*} (\\d+)$`, "gm"))].filter(
      ([, , n]) => n !== "0"
    )
  return {
    state: samples("parley_provider_circuit").map(([, state]) => state),
    errors: Object.fromEntries(samples("parley_provider_errors_total").map(([, reason, n]) => [reason, Number(n)]))
  }
})

/** Runs with separate metrics, so that tests do not count each other's. */
const alone = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(Effect.scoped, Effect.provideService(Metric.MetricRegistry, new Map()))

describe("the circuit of a provider", () => {
  it.effect("opens after failures in a row, refuses at once, lets one request try, and closes when that succeeds", () =>
    Effect.gen(function* () {
      const { guard } = yield* circuit
      for (let n = 0; n < 3; n++) assert.strictEqual(yield* reasonOf(guard(unavailable)), "unavailable")
      let asked = 0
      const request = guard(Effect.sync(() => ++asked))
      assert.strictEqual(yield* reasonOf(request), "refused")
      assert.strictEqual(asked, 0)
      assert.deepStrictEqual(yield* shown, { state: ["open"], errors: { unavailable: 3, circuit_open: 1 } })

      yield* TestClock.adjust("1 second")
      const answer = yield* Deferred.make<void>()
      const probe = yield* Effect.forkChild(guard(Deferred.await(answer)), { startImmediately: true })
      assert.strictEqual(yield* reasonOf(request), "refused", "while the probe runs, the others do not wait for it")
      assert.deepStrictEqual((yield* shown).state, ["half_open"])
      yield* Deferred.succeed(answer, undefined)
      yield* Fiber.join(probe)
      yield* Effect.yieldNow
      assert.deepStrictEqual((yield* shown).state, ["closed"])
      assert.strictEqual(yield* request, 1)
    }).pipe(alone)
  )

  it.effect("waits 1.5 times as long after each failed probe, up to its limit", () =>
    Effect.gen(function* () {
      const { guard } = yield* circuit
      for (let n = 0; n < 3; n++) yield* Effect.flip(guard(unavailable))
      for (const openMs of [1_000, 1_500, 2_250, 3_000, 3_000]) {
        yield* TestClock.adjust(openMs - 1)
        assert.strictEqual(yield* reasonOf(guard(unavailable)), "refused")
        yield* TestClock.adjust(1)
        assert.strictEqual(yield* reasonOf(guard(unavailable)), "unavailable", `probe after ${openMs} ms`)
      }
    }).pipe(alone)
  )

  it.effect(
    "stays closed when a provider answers now and then, when our request was wrong, and when a caller interrupts",
    () =>
      Effect.gen(function* () {
        const { guard } = yield* circuit
        const rejected = Effect.fail(new Trouble({ reason: "rejected" }))
        for (let n = 0; n < 10; n++) {
          yield* Effect.flip(guard(unavailable))
          yield* Effect.flip(guard(unavailable))
          yield* guard(Effect.void)
        }
        for (let n = 0; n < 10; n++) {
          assert.strictEqual(yield* reasonOf(guard(rejected)), "rejected")
          const waiting = yield* Effect.forkChild(guard(Effect.never), { startImmediately: true })
          yield* Fiber.interrupt(waiting)
        }
        assert.deepStrictEqual(yield* shown, { state: ["closed"], errors: { unavailable: 20, rejected: 10 } })
      }).pipe(alone)
  )

  it.effect("counts a long answer as a success when it begins, although the answer may still fail", () =>
    Effect.gen(function* () {
      const { guard, guardUntil } = yield* circuit
      for (let n = 0; n < 3; n++) yield* Effect.flip(guardUntil(() => unavailable))
      assert.strictEqual(yield* reasonOf(guardUntil(() => Effect.void)), "refused")
      yield* TestClock.adjust("1 second")
      const ending = yield* Deferred.make<string, Trouble>()
      const answer = yield* Effect.forkChild(
        guardUntil((healthy) => Effect.andThen(Effect.sync(healthy), Deferred.await(ending))),
        { startImmediately: true }
      )
      yield* Effect.yieldNow
      assert.strictEqual(yield* guard(Effect.succeed("another call")), "another call")
      yield* Deferred.fail(ending, new Trouble({ reason: "timeout" }))
      assert.strictEqual(yield* reasonOf(Fiber.join(answer)), "timeout")
      assert.strictEqual(yield* guardUntil((healthy) => Effect.as(Effect.sync(healthy), "next")), "next")
    }).pipe(alone)
  )

  it.effect("stops a long answer that is interrupted", () =>
    Effect.gen(function* () {
      const { guardUntil } = yield* circuit
      const stopped: Array<string> = []
      const forEver = (name: string) => Effect.onInterrupt(Effect.never, () => Effect.sync(() => stopped.push(name)))
      const before = yield* Effect.forkChild(
        guardUntil(() => forEver("before")),
        { startImmediately: true }
      )
      const after = yield* Effect.forkChild(
        guardUntil((healthy) => Effect.andThen(Effect.sync(healthy), forEver("after"))),
        { startImmediately: true }
      )
      yield* Effect.yieldNow
      yield* Fiber.interrupt(before)
      yield* Fiber.interrupt(after)
      assert.deepStrictEqual(stopped, ["before", "after"])
    }).pipe(alone)
  )
})
