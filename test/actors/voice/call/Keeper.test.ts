/** What is kept of a call is of a moment at which nothing is under way, and only engines with the same secret read it. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import * as CheckpointSeal from "../../../../src/actors/voice/call/CheckpointSeal.ts"
import { type CallProgress, Keeper, readKept } from "../../../../src/actors/voice/call/Keeper.ts"
import { initialCall } from "../../../../src/domain/voice/dialogue/Call.ts"
import { agentOf } from "../../../support/agent.ts"
import { setupOf } from "../engine/engine.ts"

const agent = agentOf()
const setup = setupOf("call_1")
const seal = CheckpointSeal.make("secret of the engines")
const progress: CallProgress = {
  startedAt: 1_000,
  sequence: 4,
  toolCalls: 1,
  interruptions: 0,
  tools: [{ id: "t1", name: "order_status", arguments: "{}" }],
  passed: [],
  recording: ""
}

/** A place where checkpoints go, and what has come there. */
const kept = () => {
  const all: Array<{ base: Uint8Array; state: Uint8Array; consumed: number; confirms: boolean }> = []
  const answers: Array<() => void> = []
  const sound = {
    news: 0,
    keep: (base: Uint8Array, state: Uint8Array, consumed: number, done?: () => void) => {
      all.push({ base, state, consumed, confirms: done !== undefined })
      if (done !== undefined) answers.push(done)
    }
  }
  return { all, answers, sound, keeper: new Keeper(sound, seal, { setup, agent }) }
}

describe("the keeper of a call", () => {
  it("sends what does not change once, and reads all of it again", () => {
    const { all, sound, keeper } = kept()
    const state = { ...initialCall(agent), turn: 3, thinking: true }
    sound.news = 2
    keeper.settle(state, progress)
    keeper.settle(state, progress)
    assert.deepStrictEqual(
      all.map(({ base, consumed }) => [base.length > 0, consumed]),
      [
        [true, 2],
        [false, 2]
      ]
    )
    assert.deepStrictEqual(readKept(seal, all[0].base, all[1].state), { setup, agent, state, progress })
  })

  it.effect("confirms only what belongs to a moment between two inputs, and waits until it is kept", () =>
    Effect.gen(function* () {
      const { all, answers, keeper } = kept()
      const state = initialCall(agent)
      keeper.settle(state, progress)
      keeper.begin()
      const over = yield* Deferred.make<void>()
      const fiber = yield* keeper
        .confirm(() => state, progress)
        .pipe(Effect.andThen(Deferred.succeed(over, undefined)), Effect.forkChild)
      yield* TestClock.adjust("50 millis")
      assert.isFalse(all.some(({ confirms }) => confirms))
      keeper.settle(state, progress)
      yield* TestClock.adjust("50 millis")
      assert.isTrue(all.at(-1)?.confirms)
      assert.isFalse(yield* Deferred.isDone(over))
      for (const answer of answers) answer()
      yield* Fiber.join(fiber)
      assert.isTrue(yield* Deferred.isDone(over))
    })
  )

  it("is read by nobody with another secret, nor when a byte of it was changed", () => {
    const { all, keeper } = kept()
    keeper.settle(initialCall(agent), progress)
    const [{ base, state }] = all
    assert.isUndefined(readKept(CheckpointSeal.make("another secret"), base, state))
    fc.assert(
      fc.property(fc.nat({ max: state.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = Uint8Array.from(state)
        changed[at] ^= change
        return readKept(seal, base, changed) === undefined
      }),
      { numRuns: 50 }
    )
    assert.isUndefined(readKept(seal, base, new Uint8Array(3)))
  })
})
