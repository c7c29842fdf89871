/** Events become deliveries even if their notification was lost or the first attempt failed. On a test clock, beside a busy organization. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { fanOutForEver } from "../../../../src/actors/events/webhooks/FanOut.ts"
import { EventFeed } from "../../../../src/domain/events/EventFeed.ts"
import { WebhookQueue } from "../../../../src/domain/events/Webhook.ts"
import { Organizations } from "../../../../src/domain/people/organizations/Organization.ts"

/** Runs the fan-out beside an organization that has a new event each second. */
const stage = Effect.gen(function* () {
  const behind = new Set<string>()
  const faults = { look: 0, fanOut: 0 }
  let tell: (organizations: ReadonlySet<string>) => void = () => assert.fail("nobody listens")
  const world = Layer.mergeAll(
    Layer.mock(EventFeed, {
      onNews: (hear) =>
        Effect.sync(() => {
          tell = hear
        })
    }),
    Layer.mock(Organizations, { find: () => Effect.succeed(undefined) }),
    Layer.mock(WebhookQueue, {
      behind: (wanted) =>
        Effect.suspend(() =>
          faults.look-- > 0
            ? Effect.die("the database is away")
            : Effect.succeed([...behind].filter((id) => wanted === undefined || wanted.includes(id)))
        ),
      fanOut: (id) =>
        Effect.suspend(() => {
          if (id === "quiet" && faults.fanOut-- > 0) return Effect.die("the database is away")
          behind.delete(id)
          return Effect.succeed(false)
        })
    })
  )
  const start = Effect.andThen(
    Effect.forkScoped(Effect.provide(fanOutForEver(Effect.void), world)),
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

describe("making deliveries of events", () => {
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
      faults.fanOut = 1
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
