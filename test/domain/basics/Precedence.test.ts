import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { makePrecedence } from "../../../src/domain/basics/Precedence.ts"

/** Work that lasts until it is told to end, and says when it has begun. */
const stage = (options = { atOnce: 2, longestMs: 500 }) => {
  const precedence = makePrecedence(options)
  const begun: Array<string> = []
  const start = Effect.fnUntraced(function* (name: string, place: "ahead" | "behind" = "behind", thread = name) {
    const end = yield* Deferred.make<void, "broken">()
    const work = Effect.andThen(
      Effect.sync(() => void begun.push(name)),
      Deferred.await(end)
    )
    const fiber = yield* Effect.forkChild(place === "ahead" ? precedence.ahead(work) : precedence.behind(work, thread))
    yield* Effect.yieldNow
    return { fiber, end: Deferred.succeed(end, undefined), fail: Deferred.fail(end, "broken") }
  })
  return { begun, start }
}
const settle = Effect.forEach(Array.from({ length: 10 }), () => Effect.yieldNow, { discard: true })

it.effect("background work begins only when no caller waits any more, and then in its turn", () =>
  Effect.gen(function* () {
    const { begun, start } = stage()
    const [early, first, second] = [
      yield* start("early"),
      yield* start("first", "ahead"),
      yield* start("second", "ahead")
    ]
    for (const name of ["a", "b", "c"]) yield* start(name)
    yield* early.end
    yield* first.end
    yield* settle
    expect(begun).toEqual(["early", "first", "second"])
    yield* second.fail
    yield* settle
    expect(begun).toEqual(["early", "first", "second", "a", "b"])
  })
)

it.effect("background work waits a limited time even when callers never stop coming", () =>
  Effect.gen(function* () {
    const { begun, start } = stage()
    yield* start("caller", "ahead")
    yield* start("a")
    yield* TestClock.adjust("499 millis")
    expect(begun).toEqual(["caller"])
    yield* TestClock.adjust("1 millis")
    yield* settle
    expect(begun).toEqual(["caller", "a"])
  })
)

it.effect("two pieces of background work run at a time, and the others follow in the order in which they came", () =>
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

it.effect("background work that has waited too long runs anyway, so that slow work cannot block it for ever", () =>
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

it.effect("work that fails, or gives up waiting, leaves its turn to the next", () =>
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

it.effect("what follows work that has waited too long does not wait as long once more, and others do", () =>
  Effect.gen(function* () {
    const { begun, start } = stage()
    yield* start("caller", "ahead")
    const first = yield* start("a 1", "behind", "a")
    yield* TestClock.adjust("500 millis")
    yield* settle
    yield* first.end
    const second = yield* start("a 2", "behind", "a")
    yield* start("b 1", "behind", "b")
    expect(begun).toEqual(["caller", "a 1", "a 2"])
    yield* second.end
    yield* TestClock.adjust("500 millis")
    yield* settle
    yield* start("a 3", "behind", "a")
    expect(begun).toEqual(["caller", "a 1", "a 2", "b 1"])
  })
)
