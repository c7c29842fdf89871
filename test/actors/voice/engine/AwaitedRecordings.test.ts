import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { AwaitedRecordings } from "../../../../src/actors/voice/engine/AwaitedRecordings.ts"

describe("a recording that the process of the sound writes", () => {
  it.effect("is awaited until it is complete, ten seconds at most, and not when the call goes on elsewhere", () =>
    Effect.gen(function* () {
      const awaited = new AwaitedRecordings()
      const [written, lost, left] = ["a.wav", "b.wav", "c.wav"].map((file) => awaited.add(file))
      const waits = yield* Effect.forkChild(written.finished)
      awaited.complete("a.wav")
      yield* Fiber.join(waits)
      left.forget()
      assert.strictEqual(awaited.size, 1)
      const gaveUp = yield* Effect.forkChild(lost.finished)
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(gaveUp)
      assert.strictEqual(awaited.size, 0)
    })
  )

  it.effect("of a call that left and came back is awaited until the second of them is complete", () =>
    Effect.gen(function* () {
      const awaited = new AwaitedRecordings()
      const before = awaited.add("a.wav")
      const { finished } = awaited.add("a.wav")
      before.forget()
      assert.strictEqual(awaited.size, 1)
      awaited.complete("a.wav")
      yield* finished
      assert.strictEqual(awaited.size, 0)
    })
  )
})
