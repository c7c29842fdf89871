import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Schedule } from "effect"
import { TestClock } from "effect/testing"
import { reconnecting } from "../../../src/integrations/slack/Reconnecting.ts"

const pauses = Schedule.min([Schedule.exponential("1 second"), Schedule.spaced("30 seconds")])

describe("a connection that is kept", () => {
  it.effect("is tried again after growing pauses, and after one that was good they begin anew", () =>
    Effect.gen(function* () {
      const attempts: Array<number> = []
      const lasts = ["0 seconds", "0 seconds", "0 seconds", "10 minutes", "0 seconds", "0 seconds"] as const
      const connection = Effect.gen(function* () {
        attempts.push((yield* Clock.currentTimeMillis) / 1_000)
        yield* Effect.sleep(lasts[attempts.length - 1] ?? "1 day")
        return yield* Effect.fail("lost" as const)
      })
      yield* Effect.forkScoped(reconnecting(connection, { pauses, goodAfter: "1 minute" }))
      yield* TestClock.adjust("1 hour")
      // The fourth lasts from 7 s to 607 s.
      assert.deepStrictEqual(attempts, [0, 1, 3, 7, 607, 608, 610])
    })
  )
})
