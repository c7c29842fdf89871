/** A reader of the log gets every event even if its notification was lost or the first attempt failed. On a test clock, beside a busy organization. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { EventFeed } from "../../../src/domain/events/EventFeed.ts"
import { followLog } from "../../../src/domain/events/FollowLog.ts"

/** Runs the reader beside an organization that has a new event each second. */
const stage = Effect.gen(function* () {
  const behind = new Set<string>()
  const faults = { look: 0, read: 0 }
  let tell: (organizations: ReadonlySet<string>) => void = () => assert.fail("nobody listens")
  const feed = Layer.mock(EventFeed, {
    onNews: (hear) =>
      Effect.sync(() => {
        tell = hear
      })
  })
  const reader = {
    what: "readers",
    made: Effect.void,
    behind: (wanted: ReadonlyArray<string> | undefined) =>
      Effect.suspend(() =>
        faults.look-- > 0
          ? Effect.die("the database is away")
          : Effect.succeed([...behind].filter((id) => wanted === undefined || wanted.includes(id)))
      ),
    read: (id: string) =>
      Effect.suspend(() => {
        if (id === "quiet" && faults.read-- > 0) return Effect.die("the database is away")
        behind.delete(id)
        return Effect.succeed(false)
      })
  }
  const start = Effect.andThen(
    Effect.forkScoped(Effect.provide(followLog(reader), feed)),
    TestClock.adjust("10 millis")
  )
  const seconds = Effect.fnUntraced(function* (count: number) {
    for (let second = 0; second < count; second++) {
      tell(new Set(["busy"]))
      yield* TestClock.adjust("1 second")
    }
  })
  return { behind, faults, start, seconds, tell: (id: string) => tell(new Set([id])) }
})

describe("a reader that follows the event log", () => {
  it.effect("finds within 10 seconds events that were not announced, however many others are announced", () =>
    Effect.gen(function* () {
      const { behind, start, seconds } = yield* stage
      yield* start
      behind.add("quiet")
      yield* seconds(11)
      assert.isFalse(behind.has("quiet"))
    }).pipe(Effect.scoped)
  )

  it.effect("tries again after a failure", () =>
    Effect.gen(function* () {
      const { behind, faults, start, seconds, tell } = yield* stage
      yield* start
      behind.add("quiet")
      faults.look = 1
      tell("quiet")
      yield* seconds(2)
      assert.isFalse(behind.has("quiet"))
      behind.add("quiet")
      faults.read = 1
      tell("quiet")
      yield* seconds(11)
      assert.isFalse(behind.has("quiet"))
    }).pipe(Effect.scoped)
  )

  it.effect("begins when the database becomes available, if it was away at the start", () =>
    Effect.gen(function* () {
      const { behind, faults, start, seconds } = yield* stage
      faults.look = 2
      behind.add("quiet")
      yield* start
      yield* seconds(3)
      assert.isFalse(behind.has("quiet"))
    }).pipe(Effect.scoped)
  )
})
