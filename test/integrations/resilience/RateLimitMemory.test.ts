import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { mostCounters, RequestCounters } from "../../../src/domain/basics/limits/RequestCounters.ts"
import * as RateLimitMemory from "../../../src/integrations/resilience/RateLimitMemory.ts"

const rule = { key: "a", limit: 3, window: "1 minute" } as const
const limits = Effect.provide(RateLimiter.layer.pipe(Layer.provide(RateLimitMemory.layer)))

describe("rate limits in memory", () => {
  it.effect("let the allowed number through, then none, and the full number again when the window is over", () =>
    Effect.gen(function* () {
      const { consume } = yield* RateLimiter.RateLimiter
      for (const remaining of [2, 1, 0]) assert.strictEqual((yield* consume(rule)).remaining, remaining)
      const refused = yield* Effect.flip(consume(rule))
      assert.strictEqual(refused.reason._tag, "RateLimitExceeded")
      assert.strictEqual((yield* consume({ ...rule, key: "b" })).remaining, 2)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* consume(rule)).remaining, 2)
    }).pipe(limits)
  )

  it("keep the counter of whoever goes on asking, however many names are asked for beside it", () => {
    const counters = new RequestCounters()
    let passed = 0
    for (let i = 0; i <= 1.2 * mostCounters; i++) {
      counters.take(`address ${i}`, 1, 3_600_000, 1, i)
      if (i % 40_000 === 0 && counters.take("guesser", 1, 3_600_000, 3, i)[0] <= 3) passed++
    }
    assert.strictEqual(passed, 3)
  })

  it("keep a bounded number of counters, and give up those that were used longest ago for new ones", () => {
    const counters = new RequestCounters()
    for (let i = 0; i < mostCounters + 1_000; i++) counters.take(`address ${i}`, 1, 3_600_000, 1, i)
    assert.strictEqual(counters.size, mostCounters)
    const now = mostCounters + 1_000
    assert.strictEqual(counters.take(`address ${now - 1}`, 1, 3_600_000, 1, now)[0], 2)
    assert.strictEqual(counters.take("address 0", 1, 3_600_000, 1, now)[0], 1)
  })

  it("forget windows that are over, however many addresses ask, and keep the others", () => {
    const counters = new RequestCounters()
    counters.take("patient", 120, 60_000, 120, 0)
    for (let i = 0; i < 400_000; i++) counters.take(`address ${i}`, 1, 60_000, 120, i)
    assert.isBelow(counters.size, 130_000)
    const few = new RequestCounters()
    few.take("patient", 120, 60_000, 120, 0)
    for (let i = 0; i < 59_999; i++) few.take(`address ${i}`, 1, 60_000, 120, i)
    assert.deepStrictEqual(few.take("patient", 1, 60_000, 120, 59_999), [121, 1])
  })

  it("never let more than the limit pass within the length of a window, and let a refused request pass at the time it was told", () => {
    const pauses = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 200 })
    fc.assert(
      fc.property(pauses, fc.integer({ min: 1, max: 20 }), (waits, limit) => {
        const [window, counters] = [1_000, new RequestCounters()]
        const passed: Array<number> = []
        let now = 0
        for (const wait of waits) {
          now += wait
          const [count, ms] = counters.take("somebody", 1, window, limit, now)
          if (count <= limit) passed.push(now)
          else {
            assert.isAbove(counters.take("somebody", 1, window, limit, now + ms - 1)[0], limit)
            now += ms
            assert.isAtMost(counters.take("somebody", 1, window, limit, now)[0], limit)
            passed.push(now)
          }
        }
        for (const [i, at] of passed.entries())
          assert.isFalse(passed[i + limit] < at + window, `${limit + 1} within ${window} ms from ${at}`)
      })
    )
  })
})
