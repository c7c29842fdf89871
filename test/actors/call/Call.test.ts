import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as Call from "../../../src/actors/call/Call.ts"
import type { CallEvent } from "../../../src/domain/Call.ts"
import { fixedPhrases } from "../../../src/domain/FixedPhrases.ts"
import { Reasoning, type ReasoningEvent } from "../../../src/domain/Reasoning.ts"
import { agentOf } from "../../support/agent.ts"
import { FakeLine, inMemory, setupOf } from "../engine.ts"

const agent = agentOf()
const drained = (text: string): CallEvent => ({ _tag: "Drained", spoken: { text, unheard: "", startMs: 0, endMs: 0 } })

/** A call of which nothing is played out: what was heard, and what the caller did, is told by hand. */
const callOf = Effect.fnUntraced(function* (answers: ReadonlyArray<ReadonlyArray<ReasoningEvent>> = []) {
  const { ports, recorded, synthesized } = inMemory()
  const services = yield* Layer.build(ports)
  const clock = yield* Clock.Clock
  const line = new FakeLine()
  const now = () => clock.currentTimeMillisUnsafe()
  const call = Call.open({ setup: setupOf("call_1"), agent, streamSid: "MZ1", line, now })
  let asked = 0
  const running = yield* Call.run(call).pipe(
    Effect.provideService(Reasoning, { stream: () => Stream.fromIterable(answers[asked++] ?? []) }),
    Effect.provide(services),
    Effect.forkChild({ startImmediately: true })
  )
  /** Things happen one after the other, and then nothing for a moment. */
  const happens = Effect.fnUntraced(function* (...events: ReadonlyArray<CallEvent>) {
    for (const event of events) call.offer(event)
    yield* TestClock.adjust("1 milli")
  })
  yield* TestClock.adjust("1 milli")
  yield* happens(drained(agent.disclosureText), drained(agent.welcomeMessage))
  return { call, line, running, recorded, synthesized, happens, asked: () => asked }
})

const turn = (text: string): CallEvent => ({ _tag: "TurnEnded", text, startMs: 0, endMs: 0 })
const text = (words: string): ReasoningEvent => ({ _tag: "Text", text: words })
const tool: ReasoningEvent = { _tag: "ToolCall", call: { id: "t1", name: "note_down", arguments: "{}" } }
const end = (finishReason: string): ReasoningEvent => ({ _tag: "End", finishReason })
const { apology } = fixedPhrases(agent.voice.language)

describe("an answer without a word", () => {
  const spokenAfter = Effect.fnUntraced(function* (answers: ReadonlyArray<ReadonlyArray<ReasoningEvent>>) {
    const { happens, synthesized, asked } = yield* callOf(answers)
    yield* happens(turn("When do you open?"))
    yield* happens()
    return { spoken: synthesized.slice(2), asked: asked() }
  })

  it.effect("is asked for once more", () =>
    Effect.gen(function* () {
      const answers = [[end("length")], [text("At nine."), end("stop")]]
      assert.deepStrictEqual(yield* spokenAfter(answers), { spoken: ["At nine."], asked: 2 })
    }).pipe(Effect.scoped)
  )

  it.effect("is an apology the second time, and not silence", () =>
    Effect.gen(function* () {
      const answers = [[end("length")], [text(" \n"), end("stop")], [text("At nine."), end("stop")]]
      assert.deepStrictEqual(yield* spokenAfter(answers), { spoken: [apology], asked: 2 })
    }).pipe(Effect.scoped)
  )

  it.effect("is none when the words came with the tool call before", () =>
    Effect.gen(function* () {
      const answers = [[text("I note that down."), tool, end("tool_calls")], [end("stop")]]
      assert.deepStrictEqual(yield* spokenAfter(answers), { spoken: ["I note that down."], asked: 2 })
      const wordless = [[tool, end("tool_calls")], [end("stop")], [text("Done."), end("stop")]]
      assert.deepStrictEqual(yield* spokenAfter(wordless), { spoken: ["Done."], asked: 3 })
    }).pipe(Effect.scoped)
  )
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
