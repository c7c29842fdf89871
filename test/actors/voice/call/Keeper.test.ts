/** What is kept of a call is of a moment at which nothing is under way, and only engines with the same secret read it. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import * as CheckpointSeal from "../../../../src/actors/voice/call/CheckpointSeal.ts"
import { Keeper, readKept } from "../../../../src/actors/voice/call/Keeper.ts"
import type { CallProgress } from "../../../../src/actors/voice/call/KeptMind.ts"
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
const kept = ({ takesChanges = true } = {}) => {
  const all: Array<{ whole: boolean; base: Uint8Array; state: Uint8Array; consumed: number; confirms: boolean }> = []
  const answers: Array<() => void> = []
  const took = (whole: boolean, base: Uint8Array, state: Uint8Array, consumed: number, done?: () => void) => {
    all.push({ whole, base, state, consumed, confirms: done !== undefined })
    if (done !== undefined) answers.push(done)
  }
  const sound = {
    news: 0,
    takesChanges,
    keep: (base: Uint8Array, state: Uint8Array, consumed: number, done?: () => void) =>
      took(true, base, state, consumed, done),
    keepChange: (change: Uint8Array, consumed: number, done?: () => void) =>
      took(false, new Uint8Array(), change, consumed, done)
  }
  return { all, answers, sound, keeper: new Keeper(sound, seal, { setup, agent }) }
}
const state = { ...initialCall(agent), turn: 3, thinking: true }

describe("the keeper of a call", () => {
  it("sends all once, then what has changed, and says without it how much was told", () => {
    const { all, sound, keeper } = kept()
    sound.news = 2
    keeper.settle(state, progress)
    keeper.settle(state, progress)
    sound.news = 3
    keeper.settle(state, progress)
    const later = { ...state, thinking: false }
    keeper.settle(later, progress)
    assert.deepStrictEqual(
      all.map(({ whole, base, state, consumed }) => [whole, base.length > 0, state.length > 0, consumed]),
      [
        [true, true, true, 2],
        [false, false, false, 3],
        [false, false, true, 3]
      ]
    )
    const read = (parts: number) =>
      readKept(seal, all[0].base, Buffer.concat(all.slice(0, parts).map((part) => part.state)))
    assert.deepStrictEqual(read(1), { setup, agent, state, progress })
    assert.deepStrictEqual(read(3), { setup, agent, state: later, progress })
  })

  it("sends a verdict with what changes next, since another engine would judge the words again", () => {
    const { all, keeper } = kept()
    keeper.settle({ ...state, unjudged: "Hello" }, progress)
    keeper.settle({ ...state, unjudged: "" }, progress)
    assert.strictEqual(all.length, 1)
    const spoke = { ...state, unjudged: "", speaking: true }
    keeper.settle(spoke, progress)
    assert.strictEqual(all.length, 2)
    assert.deepStrictEqual(readKept(seal, all[0].base, Buffer.concat(all.map(({ state }) => state)))?.state, spoke)
  })

  it("sends all again after many changes, and after long ones", () => {
    const { all, keeper } = kept()
    const text = "x".repeat(9_000)
    keeper.settle(state, progress)
    for (let turn = 4; turn < 200; turn++) keeper.settle({ ...state, turn }, progress)
    assert.deepStrictEqual(
      all.flatMap(({ whole }, at) => (whole ? [at] : [])),
      [0, 65, 130, 195]
    )
    for (const held of [text, `${text}.`, text, `${text}.`]) keeper.settle({ ...state, held }, progress)
    assert.deepStrictEqual(
      all.slice(-4).map(({ whole }) => whole),
      [false, false, true, false]
    )
  })

  it("says whether another engine could go on: once the sound has the call, and while it is not too large", () => {
    const { answers, keeper } = kept()
    keeper.settle(state, progress)
    assert.strictEqual(keeper.standing, "new")
    for (const answer of answers) answer()
    assert.strictEqual(keeper.standing, "kept")
    keeper.settle({ ...state, held: "x".repeat(300_000) }, progress)
    assert.strictEqual(keeper.standing, "too large")
    keeper.settle({ ...state, turn: 4 }, progress)
    assert.strictEqual(keeper.standing, "kept")
  })

  it("sends all each time where changes are not known", () => {
    const { all, keeper } = kept({ takesChanges: false })
    for (const turn of [1, 2, 3]) keeper.settle({ ...state, turn }, progress)
    assert.deepStrictEqual(
      all.map(({ whole, state: part }) => [whole, readKept(seal, all[0].base, part)?.state.turn]),
      [
        [true, 1],
        [true, 2],
        [true, 3]
      ]
    )
  })

  it.effect("confirms only what belongs to a moment between two inputs, and waits until it is kept", () =>
    Effect.gen(function* () {
      const { all, answers, keeper } = kept()
      keeper.settle(state, progress)
      keeper.begin()
      const over = yield* Deferred.make<void>()
      const fiber = yield* keeper
        .confirm(() => state, progress)
        .pipe(Effect.andThen(Deferred.succeed(over, undefined)), Effect.forkChild)
      yield* TestClock.adjust("50 millis")
      assert.isFalse(all.slice(1).some(({ confirms }) => confirms))
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
    keeper.settle(state, progress)
    const [{ base, state: part }] = all
    assert.isUndefined(readKept(CheckpointSeal.make("another secret"), base, part))
    fc.assert(
      fc.property(fc.nat({ max: part.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = Uint8Array.from(part)
        changed[at] ^= change
        return readKept(seal, base, changed) === undefined
      }),
      { numRuns: 50 }
    )
    assert.isUndefined(readKept(seal, base, new Uint8Array(3)))
  })
})
