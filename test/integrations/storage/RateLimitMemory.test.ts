import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { TestClock } from "effect/testing"
import * as RateLimitMemory from "../../../src/integrations/storage/RateLimitMemory.ts"

const rule = { key: "a", limit: 3, window: "1 minute" } as const
const limits = Effect.provide(RateLimiter.layer.pipe(Layer.provide(RateLimitMemory.layer)))

describe("rate limits in memory", () => {
  it.effect("let so many through, then none, and all again when the window is over", () =>
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

  it("windows that are over are forgotten, however many addresses ask; those that are not are kept", () => {
    const counters = new RateLimitMemory.Counters()
    counters.take("patient", 120, 500, 120, 0)
    for (let i = 0; i < 100_000; i++) counters.take(`address ${i}`, 1, 500, 120, i / 2)
    assert.isBelow(counters.size, 10_002)
    assert.deepStrictEqual(counters.take("patient", 1, 500, 120, 59_999), [121, 1])
  })
})
