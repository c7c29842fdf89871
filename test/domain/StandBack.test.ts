import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { makeStandBack } from "../../src/domain/StandBack.ts"

/** Work that lasts until it is told to end, and says when it has begun. */
const stage = (options = { atOnce: 2, longestMs: 500 }) => {
  const standBack = makeStandBack(options)
  const begun: Array<string> = []
  const start = Effect.fnUntraced(function* (name: string) {
    const end = yield* Deferred.make<void, "broken">()
    const work = Effect.andThen(
      Effect.sync(() => void begun.push(name)),
      Deferred.await(end)
    )
    const fiber = yield* Effect.forkChild(standBack(work))
    yield* Effect.yieldNow
    return { fiber, end: Deferred.succeed(end, undefined), fail: Deferred.fail(end, "broken") }
  })
  return { begun, start }
}
const settle = Effect.forEach(Array.from({ length: 10 }), () => Effect.yieldNow, { discard: true })

it.effect("two work at a time, the others follow in the order in which they came", () =>
  Effect.gen(function* () {
    const { begun, start } = stage()
    const [first, second] = [yield* start("a"), yield* start("b")]
    yield* start("c")
    yield* start("d")
    yield* settle
    expect(begun).toEqual(["a", "b"])
    yield* second.end
    yield* settle
    expect(begun).toEqual(["a", "b", "c"])
    yield* first.end
    yield* settle
    expect(begun).toEqual(["a", "b", "c", "d"])
  })
)

it.effect("what has waited for long goes ahead, so that slow work holds up nobody for ever", () =>
  Effect.gen(function* () {
    const { begun, start } = stage()
    for (const name of ["a", "b", "c"]) yield* start(name)
    yield* TestClock.adjust("499 millis")
    expect(begun).toEqual(["a", "b"])
    yield* TestClock.adjust("1 millis")
    yield* settle
    expect(begun).toEqual(["a", "b", "c"])
  })
)

it.effect("who fails, or gives up waiting, leaves the turn to the next", () =>
  Effect.gen(function* () {
    const { begun, start } = stage({ atOnce: 1, longestMs: 500 })
    const [first, second] = [yield* start("a"), yield* start("b")]
    yield* start("c")
    yield* Fiber.interrupt(second.fiber)
    yield* first.fail
    yield* settle
    expect(begun).toEqual(["a", "c"])
    expect(yield* Effect.flip(Fiber.join(first.fiber))).toBe("broken")
  })
)
