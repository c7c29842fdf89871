import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { silenceElapsed } from "../../../../src/actors/voice/call/Silence.ts"

/** A caller who says words at the seconds `words` and makes sounds during `sounds`; gives the second at which they are asked. */
const askedAt = Effect.fnUntraced(function* (
  words: ReadonlyArray<number>,
  sounds: readonly [from: number, until: number] = [0, 0]
) {
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  const fiber = yield* Effect.forkChild(
    Effect.map(
      silenceElapsed({
        patienceMs: 8_000,
        now,
        wordsAt: () => Math.max(Number.NEGATIVE_INFINITY, ...words.map((s) => s * 1_000).filter((ms) => ms <= now())),
        unfinished: () => now() >= sounds[0] * 1_000 && now() < sounds[1] * 1_000
      }),
      () => now() / 1_000
    )
  )
  for (let i = 0; i < 240; i++) yield* TestClock.adjust("250 millis")
  return yield* Fiber.join(fiber)
})

describe("the question whether the caller is still there", () => {
  it.effect("is asked after the configured silence", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* askedAt([]), 8)
    })
  )

  it.effect("is not asked while words come, even if no turn ends for a long time", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* askedAt([3, 9, 16]), 24)
    })
  )

  it.effect("is asked later when the caller is in the middle of a sentence", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* askedAt([], [7, 10]), 10)
    })
  )

  it.effect("is asked on a line that is never quiet, too", () =>
    Effect.gen(function* () {
      assert.isAtMost(yield* askedAt([], [0, 60]), 12.5)
    })
  )
})
