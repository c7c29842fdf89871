import { assert, describe, it } from "@effect/vitest"
import { Clock, Data, Effect, Fiber, Metric } from "effect"
import { TestClock } from "effect/testing"
import { makeCircuit } from "../../../src/integrations/resilience/Circuit.ts"
import { type Patience, retryThroughCircuit } from "../../../src/integrations/resilience/Patience.ts"

class Trouble extends Data.TaggedError("Trouble")<{ readonly reason: "unavailable" | "rejected" | "refused" }> {}

const patience: Patience<Trouble> = { ms: 4_000, again: ({ reason }) => reason !== "rejected" }

/** A provider that is unavailable for `awayMs` from now. `asked` holds the time of each request and how long the attempt might take. */
const provider = Effect.fnUntraced(function* (awayMs: number) {
  const began = yield* Clock.currentTimeMillis
  const asked: Array<{ readonly at: number; readonly timeoutMs: number }> = []
  const ask = Effect.fnUntraced(function* (timeoutMs: number) {
    const at = (yield* Clock.currentTimeMillis) - began
    asked.push({ at, timeoutMs })
    if (at < awayMs) return yield* new Trouble({ reason: "unavailable" })
    return "answer"
  })
  return { asked, ask }
})

const circuit = makeCircuit<Trouble>({
  provider: "test",
  reasonOf: ({ reason }) => reason,
  refuse: () => new Trouble({ reason: "refused" })
})

/** How the effect ended, and after how many milliseconds. */
const ended = Effect.fnUntraced(function* (request: Effect.Effect<string, Trouble>) {
  const began = yield* Clock.currentTimeMillis
  const fiber = yield* Effect.forkChild(
    Effect.flatMap(Effect.result(request), (result) =>
      Effect.map(Clock.currentTimeMillis, (now) => ({
        how: result._tag === "Success" ? result.success : result.failure.reason,
        after: now - began
      }))
    ),
    { startImmediately: true }
  )
  yield* TestClock.adjust("30 seconds")
  return yield* Fiber.join(fiber)
})

/** Runs with separate metrics, so that tests do not count each other's. */
const alone = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(Effect.scoped, Effect.provideService(Metric.MetricRegistry, new Map()))

describe("asking a provider until it answers", () => {
  it.effect("outlasts two seconds without a provider, also behind a circuit, and asks it seldom", () =>
    Effect.gen(function* () {
      const { asked, ask } = yield* provider(2_000)
      const outcome = yield* ended(retryThroughCircuit(yield* circuit, patience, 2_000, ask))
      assert.strictEqual(outcome.how, "answer")
      assert.isAtMost(outcome.after, 3_000)
      assert.isAtMost(asked.length, 9)
    }).pipe(alone)
  )

  it.effect("gets every one of many requests answered without flooding the provider", () =>
    Effect.gen(function* () {
      const { asked, ask } = yield* provider(2_000)
      const shared = yield* circuit
      const many = Effect.forEach(
        Array.from({ length: 200 }),
        () => retryThroughCircuit(shared, patience, 2_000, ask),
        {
          concurrency: "unbounded"
        }
      )
      const outcome = yield* ended(Effect.as(many, "all"))
      assert.strictEqual(outcome.how, "all")
      assert.isAtMost(outcome.after, 3_000)
      assert.isAtMost(asked.filter(({ at }) => at > 0 && at < 2_000).length, 20)
    }).pipe(alone)
  )

  it.effect("gives up when patience is over, with the provider's own error", () =>
    Effect.gen(function* () {
      const { asked, ask } = yield* provider(Number.POSITIVE_INFINITY)
      const { how, after } = yield* ended(retryThroughCircuit(yield* circuit, patience, 2_000, ask))
      assert.strictEqual(how, "unavailable")
      assert.isAtMost(after, patience.ms)
      for (const { at, timeoutMs } of asked) assert.strictEqual(timeoutMs, Math.min(2_000, patience.ms - at))
    }).pipe(alone)
  )

  it.effect("is refused at once while the circuit stays open longer than the patience lasts", () =>
    Effect.gen(function* () {
      const { ask } = yield* provider(Number.POSITIVE_INFINITY)
      const shared = yield* circuit
      for (let n = 0; n < 5; n++) yield* Effect.flip(shared.guard(ask(100)))
      while (shared.waitMs() < patience.ms) {
        yield* TestClock.adjust(shared.waitMs())
        yield* Effect.flip(shared.guard(ask(100)))
      }
      assert.deepStrictEqual(yield* ended(retryThroughCircuit(shared, patience, 2_000, ask)), {
        how: "refused",
        after: 0
      })
    }).pipe(alone)
  )

  it.effect(
    "counts as one request for the circuit, however often it repeats, so that one caller's failures do not affect the others",
    () =>
      Effect.gen(function* () {
        const { asked, ask } = yield* provider(Number.POSITIVE_INFINITY)
        const shared = yield* circuit
        for (let n = 1; n <= 4; n++) yield* ended(retryThroughCircuit(shared, patience, 2_000, ask))
        assert.isAbove(asked.length, 20)
        assert.strictEqual(yield* shared.guard(Effect.succeed("another's answer")), "another's answer")
      }).pipe(alone)
  )

  it.effect("does not repeat a request that is itself wrong", () =>
    Effect.gen(function* () {
      let asked = 0
      const wrong = Effect.suspend(() => {
        asked++
        return Effect.fail(new Trouble({ reason: "rejected" }))
      })
      assert.deepStrictEqual(yield* ended(retryThroughCircuit(yield* circuit, patience, 2_000, () => wrong)), {
        how: "rejected",
        after: 0
      })
      assert.strictEqual(asked, 1)
    }).pipe(alone)
  )
})
