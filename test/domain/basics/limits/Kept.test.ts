import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { makeKept } from "../../../../src/domain/basics/limits/Kept.ts"

describe("an answer", () => {
  it.effect("is kept for a while, unless it is asked for anew or others take its place", () =>
    Effect.gen(function* () {
      const kept = makeKept<number>({ forMs: 60_000, most: 2 })
      let asked = 0
      const answer = (key: string, fresh = false) =>
        kept(
          key,
          Effect.sync(() => ++asked),
          fresh
        )
      assert.strictEqual(yield* answer("a"), 1)
      yield* TestClock.adjust("59 seconds")
      assert.strictEqual(yield* answer("a"), 1)
      assert.strictEqual(yield* answer("a", true), 2)
      yield* TestClock.adjust("59 seconds")
      assert.strictEqual(yield* answer("a"), 2)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* answer("a"), 3)
      yield* answer("b")
      yield* answer("c")
      assert.strictEqual(yield* answer("c"), 5)
      assert.strictEqual(yield* answer("a"), 6)
    })
  )

  it.effect("that failed is asked for again", () =>
    Effect.gen(function* () {
      const kept = makeKept<string>({ forMs: 60_000, most: 2 })
      assert.strictEqual(yield* Effect.flip(kept("a", Effect.fail("lost"))), "lost")
      assert.strictEqual(yield* kept("a", Effect.succeed("found")), "found")
    })
  )
})
