import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { drain } from "../../../../src/actors/voice/engine/Drain.ts"
import { RunningCalls } from "../../../../src/actors/voice/engine/RunningCalls.ts"
import { Draining } from "../../../../src/domain/basics/Draining.ts"
import { RingingCalls } from "../../../../src/domain/voice/calls/outbound/RingingCalls.ts"

/** A process that drains for at most five minutes with `calls` running calls. `told` lists what it did to them; `delivery` is the last delivery. */
const process = Effect.fnUntraced(function* (calls = 0, delivery: Effect.Effect<void> = Effect.void) {
  const told: Array<string> = []
  const state = { calls, hurry: false }
  const note = (what: string) => Effect.sync(() => void told.push(what))
  const running = Layer.effect(
    RunningCalls,
    Effect.map(RunningCalls, (none) => ({
      ...none,
      count: Effect.sync(() => state.calls),
      sayGoodbye: note("goodbye"),
      cutOff: note("cut off"),
      delivered: Effect.andThen(delivery, note("delivered"))
    }))
  ).pipe(Layer.provide(RunningCalls.layerNone))
  const ringing = yield* RingingCalls
  const begin = Effect.forkChild(
    drain({ seconds: 300, hurry: Effect.sync(() => state.hurry) }).pipe(Effect.provide([running, Draining.layer]))
  )
  return { told, state, ringing, begin }
})

const isOver = (fiber: Fiber.Fiber<unknown>) => fiber.pollUnsafe() !== undefined

describe("a process that drains", () => {
  it.effect("ends at once when it has no calls", () =>
    Effect.gen(function* () {
      const { told, begin } = yield* process()
      yield* Fiber.join(yield* begin)
      assert.deepStrictEqual(told, ["goodbye", "delivered"])
    }).pipe(Effect.provide(RingingCalls.layer))
  )

  it.effect("waits until everything is delivered of a call that ended before, e.g. its recording", () =>
    Effect.gen(function* () {
      const { told, begin } = yield* process(0, Effect.sleep("5 seconds"))
      const fiber = yield* begin
      yield* TestClock.adjust("4 seconds")
      assert.isFalse(isOver(fiber))
      yield* TestClock.adjust("2 seconds")
      assert.isTrue(isOver(fiber))
      assert.deepStrictEqual(told, ["goodbye", "delivered"])
    }).pipe(Effect.provide(RingingCalls.layer))
  )

  it.effect("waits 10 s for deliveries at most, and not at all when it is told to hurry", () =>
    Effect.gen(function* () {
      const { told, state, begin } = yield* process(0, Effect.never)
      const fiber = yield* begin
      yield* TestClock.adjust("9 seconds")
      assert.isFalse(isOver(fiber))
      yield* TestClock.adjust("2 seconds")
      assert.isTrue(isOver(fiber))
      const hurried = yield* begin
      yield* TestClock.adjust("2 seconds")
      assert.isFalse(isOver(hurried))
      state.hurry = true
      yield* TestClock.adjust("1 second")
      assert.isTrue(isOver(hurried))
      assert.deepStrictEqual(told, ["goodbye", "goodbye"])
    }).pipe(Effect.provide(RingingCalls.layer))
  )

  it.effect("waits for a call that it placed while it rings, and for the conversation if the callee answers", () =>
    Effect.gen(function* () {
      const { told, state, ringing, begin } = yield* process()
      yield* ringing.placed("call_1", 30)
      const fiber = yield* begin
      yield* TestClock.adjust("20 seconds")
      assert.isFalse(isOver(fiber))
      // The callee answers.
      state.calls = 1
      yield* ringing.settled("call_1")
      yield* TestClock.adjust("1 minute")
      assert.isFalse(isOver(fiber))
      state.calls = 0
      yield* TestClock.adjust("1 second")
      assert.isTrue(isOver(fiber))
      assert.deepStrictEqual(told, ["goodbye", "delivered"])
    }).pipe(Effect.provide(RingingCalls.layer))
  )

  it.effect("does not wait for a call that must have stopped ringing, even if it was not told of the end", () =>
    Effect.gen(function* () {
      const { ringing, begin } = yield* process()
      yield* ringing.placed("call_1", 30)
      const fiber = yield* begin
      yield* TestClock.adjust("59 seconds")
      assert.isFalse(isOver(fiber))
      yield* TestClock.adjust("2 seconds")
      assert.isTrue(isOver(fiber))
    }).pipe(Effect.provide(RingingCalls.layer))
  )

  it.effect("does not wait for ringing calls once the time is up, or when it is told to hurry", () =>
    Effect.gen(function* () {
      const { told, state, ringing, begin } = yield* process()
      yield* ringing.placed("call_1", 600)
      const fiber = yield* begin
      yield* TestClock.adjust("299 seconds")
      assert.isFalse(isOver(fiber))
      yield* TestClock.adjust("2 seconds")
      assert.isTrue(isOver(fiber))
      assert.deepStrictEqual(told, ["goodbye", "delivered"])
      state.hurry = true
      const hurried = yield* begin
      yield* TestClock.adjust("1 second")
      assert.isTrue(isOver(hurried))
    }).pipe(Effect.provide(RingingCalls.layer))
  )

  it.effect("says goodbye to running calls when the time is up, and cuts off the remaining ones 20 s later", () =>
    Effect.gen(function* () {
      const { told, begin } = yield* process(1)
      const fiber = yield* begin
      yield* TestClock.adjust("299 seconds")
      assert.deepStrictEqual(told, [])
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(told, ["goodbye"])
      yield* TestClock.adjust("20 seconds")
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(told, ["goodbye", "cut off"])
    }).pipe(Effect.provide(RingingCalls.layer))
  )
})
