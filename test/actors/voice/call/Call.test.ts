import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer, Queue, Stream } from "effect"
import { TestClock } from "effect/testing"
import { speak } from "../../../../simulators/voice/Voice.ts"
import * as Call from "../../../../src/actors/voice/call/Call.ts"
import { open } from "../../../../src/actors/voice/call/OpenCall.ts"
import { encode } from "../../../../src/audio/frames/Mulaw.ts"
import { Reasoning, type ReasoningEvent } from "../../../../src/domain/ai/providers/Reasoning.ts"
import { SpeechToText, type Transcript } from "../../../../src/domain/ai/providers/Speech.ts"
import type { CallInput } from "../../../../src/domain/voice/dialogue/Call.ts"
import { fixedPhrases } from "../../../../src/domain/voice/dialogue/FixedPhrases.ts"
import type { CallSetup } from "../../../../src/domain/voice/engine/CallSetup.ts"
import { AppCallbacks } from "../../../../src/domain/voice/engine/EnginePorts.ts"
import type { ToolCallRequest, ToolCallResponse } from "../../../../src/domain/voice/engine/ToolCallRequest.ts"
import { Telephony } from "../../../../src/domain/voice/telephony/Telephony.ts"
import { agentOf } from "../../../support/agent.ts"
import { FakeLine, inMemory, setupOf } from "../engine/engine.ts"

const agent = agentOf()
const drained = (text: string): CallInput => ({ _tag: "Drained", spoken: { text, unheard: "", startMs: 0, endMs: 0 } })

let voice: Int16Array
beforeAll(async () => {
  voice = (await speak("My number is four one five", "en-US")).samples
})

const lastWords = "My number is four one five."
/** A speech-to-text stream whose words come half a second after the pause. */
const slowEar = Effect.gen(function* () {
  const pauses = yield* Queue.unbounded<void>()
  const heard: Transcript = { _tag: "Final", text: lastWords, language: "en-IN" }
  return {
    push: () => undefined,
    flush: () => void Queue.offerUnsafe(pauses, undefined),
    transcripts: Stream.mapEffect(Stream.fromQueue(pauses), () => Effect.delay(Effect.succeed(heard), "500 millis"))
  }
})

/** Speech-to-text whose first stream returns no words; the next ones return them. */
const swallowingEar = () => {
  let streams = 0
  return Effect.gen(function* () {
    if (streams++ > 0) return yield* slowEar
    const pauses = yield* Queue.unbounded<Transcript>()
    return {
      push: () => undefined,
      flush: () => void Queue.offerUnsafe(pauses, { _tag: "Unanswered" }),
      transcripts: Stream.fromQueue(pauses)
    }
  })
}

const transferred: ToolCallResponse = {
  outcome: "ok",
  result: "",
  escalation: { outcome: "transfer", twiml: "<Dial/>" }
}

/** A call without play-out: the test tells it what was heard and what the caller did. */
const callOf = Effect.fnUntraced(function* (
  answers: ReadonlyArray<ReadonlyArray<ReasoningEvent>> = [],
  redirect: Telephony["Service"]["redirect"] = () => Effect.void,
  ear: ReturnType<typeof swallowingEar> = slowEar,
  setup: Partial<CallSetup> = {}
) {
  const { ports, recorded, utterances, synthesized } = inMemory()
  const services = yield* Layer.build(ports)
  const clock = yield* Clock.Clock
  const line = new FakeLine()
  const now = () => clock.currentTimeMillisUnsafe()
  const call = open({ setup: setupOf("call_1", setup), agent, streamSid: "MZ1", line, now })
  let asked = 0
  const tools: Array<ToolCallRequest> = []
  yield* Call.run(call).pipe(
    Effect.provideService(SpeechToText, { open: () => ear }),
    Effect.provideService(AppCallbacks, {
      runTool: (request) =>
        Effect.as(
          Effect.sync(() => tools.push(request)),
          transferred
        ),
      lookUp: () => Effect.succeed({ text: "", sources: [] }),
      notices: () => Effect.succeed({ notices: [] }),
      deliver: () => Effect.void
    }),
    Effect.provideService(Telephony, { redirect }),
    Effect.provideService(Reasoning, { stream: () => Stream.fromIterable(answers[asked++] ?? []) }),
    Effect.provide(services),
    Effect.forkChild({ startImmediately: true })
  )
  /** Offers the inputs one after the other, and lets 10 ms pass. */
  const happens = Effect.fnUntraced(function* (...events: ReadonlyArray<CallInput>) {
    for (const event of events) call.offer(event)
    for (let i = 0; i < 10; i++) {
      call.audio.look()
      yield* TestClock.adjust("1 milli")
    }
  })
  yield* TestClock.adjust("1 milli")
  yield* happens(drained(agent.disclosureText), drained(agent.welcomeMessage))
  // Both were heard: the agent does not speak any more.
  call.sound.silence()
  let mediaMs = 0
  /** The caller says something and pauses. */
  const speaks = () => {
    for (let at = 0; at + 160 <= voice.length; at += 160, mediaMs += 20)
      call.audio.media(encode(voice.subarray(at, at + 160)), mediaMs)
    for (let quiet = 0; quiet < 400; quiet += 20, mediaMs += 20) call.audio.media(encode(new Int16Array(160)), mediaMs)
  }
  const ended = () => recorded.some(({ type }) => type === "call_end")
  const theEnd = () => recorded.find((event) => event.type === "call_end")
  return { call, line, utterances, ended, theEnd, synthesized, happens, speaks, tools, asked: () => asked }
})

const turn = (text: string): CallInput => ({ _tag: "TurnEnded", text, startMs: 0, endMs: 0 })
const text = (words: string): ReasoningEvent => ({ _tag: "Text", text: words })
const tool: ReasoningEvent = { _tag: "ToolCall", call: { id: "t1", name: "note_down", arguments: "{}" } }
const end = (finishReason: string): ReasoningEvent => ({ _tag: "End", finishReason })
const { apology, timeIsUp, transfer } = fixedPhrases(agent.voice.language)

describe("an answer without words", () => {
  const spokenAfter = Effect.fnUntraced(function* (answers: ReadonlyArray<ReadonlyArray<ReasoningEvent>>) {
    const { happens, synthesized, asked } = yield* callOf(answers)
    yield* happens(turn("When do you open?"))
    return { spoken: synthesized.slice(2), asked: asked() }
  })

  it.effect("is requested once more", () =>
    Effect.gen(function* () {
      const answers = [[end("length")], [text("At nine."), end("stop")]]
      assert.deepStrictEqual(yield* spokenAfter(answers), { spoken: ["At nine."], asked: 2 })
    }).pipe(Effect.scoped)
  )

  it.effect("is replaced by an apology the second time", () =>
    Effect.gen(function* () {
      const answers = [[end("length")], [text(" \n"), end("stop")], [text("At nine."), end("stop")]]
      assert.deepStrictEqual(yield* spokenAfter(answers), { spoken: [apology], asked: 2 })
    }).pipe(Effect.scoped)
  )

  it.effect("is requested once more after a tool, also when words came with the tool call", () =>
    Effect.gen(function* () {
      const answers = [[text("One moment."), tool, end("tool_calls")], [end("stop")], [text("At nine."), end("stop")]]
      assert.deepStrictEqual(yield* spokenAfter(answers), { spoken: ["One moment.", "At nine."], asked: 3 })
      const wordless = [[tool, end("tool_calls")], [end("stop")], [text("Done."), end("stop")]]
      assert.deepStrictEqual(yield* spokenAfter(wordless), { spoken: ["Done."], asked: 3 })
    }).pipe(Effect.scoped)
  )
})

describe("the caller's last sentence", () => {
  /** Asserts that half a second later the words have come and the call is over. */
  const wordsCome = Effect.fnUntraced(function* (call: Effect.Success<ReturnType<typeof callOf>>) {
    yield* TestClock.adjust("500 millis")
    yield* call.happens()
    assert.strictEqual(call.utterances().at(-1), lastWords)
    assert.isTrue(call.ended())
  })

  it.effect("is recorded even if it is said while the call is being transferred to a human", () =>
    Effect.gen(function* () {
      const call = yield* callOf()
      const { happens, speaks, ended } = call
      yield* happens(turn("A human please"))
      speaks()
      yield* happens(drained(transfer))
      assert.isFalse(ended())
      yield* wordsCome(call)
    }).pipe(Effect.scoped)
  )

  it.effect("is recorded when the agent hangs up, and does not delay the hang-up", () =>
    Effect.gen(function* () {
      const call = yield* callOf()
      const { happens, speaks, line } = call
      yield* happens({ _tag: "MaxDurationReached" })
      speaks()
      yield* happens(drained(timeIsUp))
      assert.strictEqual(line.closes, 1)
      yield* wordsCome(call)
    }).pipe(Effect.scoped)
  )

  it.effect("is not waited for when nothing was said", () =>
    Effect.gen(function* () {
      const { happens, ended } = yield* callOf()
      yield* happens({ _tag: "MaxDurationReached" }, drained(timeIsUp))
      assert.isTrue(ended())
    }).pipe(Effect.scoped)
  )

  it.effect("is recorded when the line closes before the provider has confirmed the transfer", () =>
    Effect.gen(function* () {
      const call = yield* callOf([], () => Effect.sleep("300 millis"))
      const { happens, speaks } = call
      yield* happens(turn("A human please"))
      yield* happens(drained(transfer))
      speaks()
      yield* happens({ _tag: "LineClosed" })
      yield* wordsCome(call)
    }).pipe(Effect.scoped)
  )

  it.effect(
    "is recorded when the line closes while another stream transcribes it because the first returned no words",
    () =>
      Effect.gen(function* () {
        const call = yield* callOf([], undefined, swallowingEar())
        const { happens, speaks, ended } = call
        speaks()
        yield* TestClock.adjust("400 millis")
        yield* happens({ _tag: "LineClosed" })
        assert.isFalse(ended())
        yield* wordsCome(call)
      }).pipe(Effect.scoped)
  )

  it.effect("does not count towards the duration of the call", () =>
    Effect.gen(function* () {
      const ways = [[{ _tag: "LineClosed" }], [{ _tag: "MaxDurationReached" }, drained(timeIsUp)]] as const
      for (const hangsUp of ways) {
        const { call, happens, speaks, theEnd } = yield* callOf()
        yield* TestClock.adjust("2 seconds")
        speaks()
        const elapsedMs = call.elapsed()
        const now = yield* Clock.currentTimeMillis
        yield* happens(...hangsUp)
        yield* TestClock.adjust("500 millis")
        yield* happens()
        const end = theEnd()
        assert.strictEqual(end?.durationSeconds, Math.round(elapsedMs / 100) / 10)
        assert.isAtMost(Date.parse(end?.endedAt ?? "") - now, 10)
      }
    }).pipe(Effect.scoped)
  )
})

describe("a call", () => {
  it.effect("asks a caller who says no words whether they are still there, even if they make noises", () =>
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

  it.effect("that came back from a human has the rest of its maximum length, and at least two minutes", () =>
    Effect.gen(function* () {
      const longestMs = agent.maxCallSeconds * 1_000
      for (const [elapsedMs, leftMs] of [
        [600_000, longestMs - 600_000],
        [longestMs - 1_000, 120_000],
        [4 * longestMs, 120_000]
      ]) {
        const resume = { outcome: "busy", disclosed: true, history: [], nextSequence: 3, elapsedMs } as const
        const { happens, synthesized } = yield* callOf([], undefined, undefined, { resume })
        yield* TestClock.adjust(leftMs - 1_000)
        yield* happens()
        assert.notInclude(synthesized, timeIsUp)
        yield* TestClock.adjust("1 second")
        yield* happens()
        assert.include(synthesized, timeIsUp)
      }
    }).pipe(Effect.scoped)
  )

  it.effect("that came back from a human runs its tools again under new ids", () =>
    Effect.gen(function* () {
      const answers = [
        [tool, end("tool_calls")],
        [text("Done."), end("stop")]
      ]
      const idsOf = Effect.fnUntraced(function* (setup: Partial<CallSetup>) {
        const { happens, tools } = yield* callOf(answers, undefined, undefined, setup)
        yield* happens(turn("Note that down"))
        return tools.map(({ toolCallId }) => toolCallId)
      })
      const resume = { outcome: "busy", disclosed: true, history: [], nextSequence: 3 } as const
      const ids = [
        yield* idsOf({}),
        yield* idsOf({ resume: { ...resume, elapsedMs: 60_000 } }),
        yield* idsOf({ resume: { ...resume, elapsedMs: 90_000 } })
      ]
      assert.deepStrictEqual(ids, [["t1"], ["t1@60000"], ["t1@90000"]])
    }).pipe(Effect.scoped)
  )
})
