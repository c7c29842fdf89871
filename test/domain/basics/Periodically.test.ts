import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger, Queue } from "effect"
import { TestClock } from "effect/testing"
import { periodically, type Rhythm } from "../../../src/domain/basics/Periodically.ts"

const started = (rhythm: Rhythm, outcome: Effect.Effect<void, string> = Effect.void) =>
  Effect.gen(function* () {
    let runs = 0
    const work = Effect.suspend(() => {
      runs++
      return outcome
    })
    yield* periodically("no luck", rhythm, work)
    yield* TestClock.adjust(0)
    return () => runs
  })

describe("periodically", () => {
  it.effect("runs at once, and again when the pause after a run is over", () =>
    Effect.gen(function* () {
      const runs = yield* started({ every: "1 second" }, Effect.sleep("500 millis"))
      assert.strictEqual(runs(), 1)
      yield* TestClock.adjust("1499 millis")
      assert.strictEqual(runs(), 1)
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(runs(), 2)
    })
  )

  it.effect("waits before the first run when it is told to", () =>
    Effect.gen(function* () {
      const runs = yield* started({ first: "1 minute", every: "1 hour" })
      assert.strictEqual(runs(), 0)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(runs(), 1)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(runs(), 2)
    })
  )

  it.effect("ends its pause when it is woken", () =>
    Effect.gen(function* () {
      const wakes = yield* Queue.sliding<void>(1)
      const runs = yield* started({ every: "1 second", wake: Queue.take(wakes) })
      yield* Queue.offer(wakes, undefined)
      yield* TestClock.adjust(0)
      assert.strictEqual(runs(), 2)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(runs(), 3)
    })
  )

  it.effect("logs every kind of failure and starts the next run", () =>
    Effect.gen(function* () {
      const told: Array<string> = []
      const logger = Logger.layer([
        Logger.make<unknown, void>(({ logLevel, message }) => void told.push(`${logLevel} ${String(message)}`))
      ])
      yield* Effect.gen(function* () {
        for (const [outcome, level, line] of [
          [Effect.fail("no"), "warning", "Warn no luck"],
          [Effect.die(new Error("broken")), "error", "Error no luck"],
          [Effect.interrupt, "warning", "Warn no luck"]
        ] as const) {
          yield* Effect.scoped(
            Effect.gen(function* () {
              const runs = yield* started({ every: "1 second", level }, outcome)
              yield* TestClock.adjust("1 second")
              assert.strictEqual(runs(), 2)
            })
          )
          assert.deepStrictEqual(told.splice(0), [line, line])
        }
      }).pipe(Effect.provide(logger))
    })
  )

  it.effect("ends with its scope", () =>
    Effect.gen(function* () {
      const runs = yield* Effect.scoped(started({ every: "1 second" }))
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(runs(), 1)
    })
  )
})
