import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as Call from "../../../src/actors/call/Call.ts"
import type { CallEvent } from "../../../src/domain/Call.ts"
import { agentOf } from "../../support/agent.ts"
import { FakeLine, inMemory, setupOf } from "../engine.ts"

const agent = agentOf()
const drained = (text: string): CallEvent => ({ _tag: "Drained", spoken: { text, unheard: "", startMs: 0, endMs: 0 } })

/** A call of which nothing is played out: what was heard, and what the caller did, is told by hand. */
const callOf = Effect.fnUntraced(function* () {
  const { ports, recorded, synthesized } = inMemory()
  const services = yield* Layer.build(ports)
  const clock = yield* Clock.Clock
  const line = new FakeLine()
  const now = () => clock.currentTimeMillisUnsafe()
  const call = Call.open({ setup: setupOf("call_1"), agent, streamSid: "MZ1", line, now })
  const running = yield* Call.run(call).pipe(Effect.provide(services), Effect.forkChild({ startImmediately: true }))
  /** Things happen one after the other, and then nothing for a moment. */
  const happens = Effect.fnUntraced(function* (...events: ReadonlyArray<CallEvent>) {
    for (const event of events) call.offer(event)
    yield* TestClock.adjust("1 milli")
  })
  yield* TestClock.adjust("1 milli")
  yield* happens(drained(agent.disclosureText), drained(agent.welcomeMessage))
  return { call, line, running, recorded, synthesized, happens }
})

describe("a call", () => {
  it.effect("asks a caller who says nothing whether they are there, whatever noises they make", () =>
    Effect.gen(function* () {
      const { happens, synthesized } = yield* callOf()
      const { promptAfterSeconds, promptText } = agent.silence
      for (let second = 1; second < promptAfterSeconds; second++) {
        yield* TestClock.adjust("1 second")
        yield* happens({ _tag: "TurnLost" })
      }
      assert.notInclude(synthesized, promptText)
      yield* TestClock.adjust("1 second")
      yield* happens()
      assert.include(synthesized, promptText)
      yield* happens(drained(promptText))
      yield* TestClock.adjust(`${promptAfterSeconds - 1} seconds`)
      yield* happens()
      assert.lengthOf(
        synthesized.filter((text) => text === promptText),
        1
      )
    }).pipe(Effect.scoped)
  )
})
