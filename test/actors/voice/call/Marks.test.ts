import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer, Queue, Stream } from "effect"
import { TestClock } from "effect/testing"
import { speak } from "../../../../simulators/voice/Voice.ts"
import * as Call from "../../../../src/actors/voice/call/Call.ts"
import { open } from "../../../../src/actors/voice/call/OpenCall.ts"
import { encode } from "../../../../src/audio/frames/Mulaw.ts"
import { Moderation } from "../../../../src/domain/ai/providers/Moderation.ts"
import { type ChatMessage, Reasoning, type ReasoningEvent } from "../../../../src/domain/ai/providers/Reasoning.ts"
import { SpeechToText, type Transcript } from "../../../../src/domain/ai/providers/Speech.ts"
import { askForMark } from "../../../../src/domain/voice/dialogue/TurnMark.ts"
import type { AgentConfig } from "../../../../src/domain/voice/engine/AgentConfig.ts"
import { AppCallbacks } from "../../../../src/domain/voice/engine/EnginePorts.ts"
import type { ToolCallRequest } from "../../../../src/domain/voice/engine/ToolCallRequest.ts"
import { Telephony } from "../../../../src/domain/voice/telephony/Telephony.ts"
import { agentOf } from "../../../support/agent.ts"
import { FakeLine, inMemory, setupOf } from "../engine/engine.ts"

/** Without punctuation, so the words alone do not say whether more will come. */
const half = "I need a table for Friday"
const rest = "at the window"
let voice: Int16Array
beforeAll(async () => {
  voice = (await speak(half, "en-US")).samples
})

/** One answer of the model: its pieces come 20 ms apart, the first `afterMs` after the request. */
interface Answer {
  readonly afterMs: number
  readonly pieces: ReadonlyArray<string>
  readonly tool?: string
  /** All pieces come together. */
  readonly atOnce?: boolean
}
const says = (afterMs: number, ...pieces: ReadonlyArray<string>): Answer => ({ afterMs, pieces })

/** A caller in a conversation with an agent; speech-to-text takes `earMs`, and hears `said` pause by pause. */
const callOf = Effect.fnUntraced(function* (
  answers: ReadonlyArray<Answer>,
  {
    agent = agentOf(),
    said = [half, rest],
    earMs = 100
  }: { readonly agent?: AgentConfig; readonly said?: ReadonlyArray<string>; readonly earMs?: number } = {}
) {
  const { ports, utterances, synthesized } = inMemory()
  const services = yield* Layer.build(ports)
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  const line = new FakeLine()
  const call = open({ setup: setupOf("call_1"), agent, streamSid: "MZ1", line, now })
  const asked: Array<ReadonlyArray<ChatMessage>> = []
  const judged: Array<string> = []
  const tools: Array<ToolCallRequest> = []
  let stopped = 0
  let heard = 0
  const ear = Effect.gen(function* () {
    const pauses = yield* Queue.unbounded<void>()
    return {
      push: () => undefined,
      flush: () => void Queue.offerUnsafe(pauses, undefined),
      transcripts: Stream.mapEffect(Stream.fromQueue(pauses), () =>
        Effect.delay(
          Effect.sync((): Transcript => ({ _tag: "Final", text: said[heard++] ?? "", language: "en-US" })),
          earMs
        )
      )
    }
  })
  const stream = ({ afterMs, pieces, tool, atOnce = false }: Answer): Stream.Stream<ReasoningEvent> =>
    Stream.fromEffect(Effect.sleep(afterMs)).pipe(
      Stream.flatMap(() =>
        Stream.fromIterable<ReasoningEvent>([
          ...pieces.map((text) => ({ _tag: "Text", text }) as const),
          ...(tool === undefined
            ? []
            : [{ _tag: "ToolCall", call: { id: "t1", name: tool, arguments: '{"when":"Friday"}' } } as const]),
          { _tag: "End", finishReason: "stop" }
        ])
      ),
      Stream.tap(() => (atOnce ? Effect.void : Effect.sleep(20))),
      Stream.onExit((exit) => Effect.sync(() => void (exit._tag === "Failure" ? stopped++ : undefined)))
    )
  yield* Call.run(call).pipe(
    Effect.provideService(SpeechToText, { open: () => ear }),
    Effect.provideService(AppCallbacks, {
      runTool: (request) =>
        Effect.as(
          Effect.sync(() => tools.push(request)),
          { outcome: "ok", result: "done" } as const
        ),
      lookUp: () => Effect.succeed({ text: "", sources: [] }),
      notices: () => Effect.succeed({ notices: [] }),
      deliver: () => Effect.void
    }),
    Effect.provideService(Telephony, { redirect: () => Effect.void }),
    Effect.provideService(Moderation, {
      check: (texts) =>
        Effect.sync(() => {
          judged.push(...texts)
          return texts.map(() => ({ flagged: false, categories: [] }))
        })
    }),
    Effect.provideService(Reasoning, {
      stream: ({ messages }) => {
        asked.push(messages)
        return stream(answers[asked.length - 1] ?? says(0, "I have no more answers."))
      }
    }),
    Effect.provide(services),
    Effect.forkChild({ startImmediately: true })
  )
  let mediaMs = 0
  /** 20 ms of the line, in time. */
  const frame = (samples: Int16Array) =>
    Effect.suspend(() => {
      call.audio.media(encode(samples), mediaMs)
      mediaMs += 20
      call.audio.tick(now())
      return TestClock.adjust("20 millis")
    })
  const quiet = Effect.fnUntraced(function* (ms: number) {
    for (let i = 0; i < ms; i += 20) yield* frame(new Int16Array(160))
  })
  const speaks = Effect.fnUntraced(function* () {
    for (let at = 0; at + 160 <= voice.length; at += 160) yield* frame(voice.subarray(at, at + 160))
  })
  yield* TestClock.adjust("1 milli")
  for (const text of [agent.disclosureText, agent.welcomeMessage]) {
    call.sound.silence()
    call.offer({ _tag: "Drained", spoken: { text, unheard: "", startMs: 0, endMs: 0 } })
    yield* TestClock.adjust("10 millis")
  }
  call.sound.silence()
  yield* quiet(1_000)
  const spokenBefore = synthesized.length
  const sentBefore = line.sent.length
  return {
    call,
    quiet,
    speaks,
    asked,
    judged,
    tools,
    utterances,
    stopped: () => stopped,
    /** What was sent to text-to-speech as answers. */
    answers: () => synthesized.slice(spokenBefore),
    /** How many answers the caller has heard: each is 100 ms long. */
    heard: () => line.sent.slice(sentBefore).filter((message) => message.includes('"media"')).length / 5,
    /** What the caller said, as recorded. */
    turns: () => utterances().filter((text) => said.some((one) => text.includes(one)))
  }
})

const wantsMark = (messages: ReadonlyArray<ChatMessage>) => messages.at(-1)?.content === askForMark.content
/** Everything that anybody but the model's own reader sees. */
const seen = (call: {
  answers: () => ReadonlyArray<string>
  judged: ReadonlyArray<string>
  utterances: () => ReadonlyArray<string>
  asked: ReadonlyArray<ReadonlyArray<ChatMessage>>
  tools: ReadonlyArray<ToolCallRequest>
}) =>
  JSON.stringify([
    call.answers(),
    call.judged,
    call.utterances(),
    call.asked.flat().filter(({ role }) => role !== "system"),
    call.tools
  ])

describe("a call whose model judges turns", () => {
  it.effect("ends a finished turn sooner, with the answer of the guess", () =>
    Effect.gen(function* () {
      const call = yield* callOf([says(20, "^", " At", " six", " then.")])
      yield* call.speaks()
      yield* call.quiet(520)
      assert.deepStrictEqual(call.turns(), [half])
      assert.deepStrictEqual(call.answers(), ["At six then."])
      assert.lengthOf(call.asked, 1)
      assert.notMatch(seen(call), /\^/)
    }).pipe(Effect.scoped)
  )

  it.effect("without a mark ends it by its words", () =>
    Effect.gen(function* () {
      const call = yield* callOf([says(20, "At six then.")])
      yield* call.speaks()
      yield* call.quiet(520)
      assert.deepStrictEqual(call.turns(), [])
      yield* call.quiet(200)
      assert.deepStrictEqual(call.turns(), [half])
      assert.deepStrictEqual(call.answers(), ["At six then."])
    }).pipe(Effect.scoped)
  )

  it.effect("waits on an unfinished turn, drops that answer, and answers all of it once", () =>
    Effect.gen(function* () {
      const call = yield* callOf([says(20, "~ What", " time?"), says(20, "^ A table at the window.")])
      yield* call.speaks()
      yield* call.quiet(1_500)
      assert.deepStrictEqual([call.answers(), call.heard(), call.stopped()], [[], 0, 1])
      yield* call.speaks()
      yield* call.quiet(1_500)
      assert.deepStrictEqual(call.turns(), [half, rest])
      assert.deepStrictEqual(call.answers(), ["A table at the window."])
      assert.deepStrictEqual(call.asked[1].findLast(({ role }) => role === "user")?.content, `${half} ${rest}`)
      assert.notMatch(seen(call), /[~^]/)
    }).pipe(Effect.scoped)
  )

  it.effect("answers an unfinished turn after the longest silence, without asking for a mark again", () =>
    Effect.gen(function* () {
      const call = yield* callOf([says(20, "~ What", " time?"), says(20, "At six?")])
      yield* call.speaks()
      yield* call.quiet(2_300)
      assert.lengthOf(call.asked, 1)
      yield* call.quiet(400)
      assert.deepStrictEqual(call.asked.map(wantsMark), [true, false])
      assert.deepStrictEqual(call.answers(), ["At six?"])
      yield* call.quiet(3_000)
      assert.deepStrictEqual([call.turns(), call.answers(), call.asked.length], [[half], ["At six?"], 2])
    }).pipe(Effect.scoped)
  )

  it.effect("takes an answer back when the mark comes after the end of the turn and nothing was heard", () =>
    Effect.gen(function* () {
      const call = yield* callOf([says(500, "~ What", " time?"), says(20, "^ A table at the window.")])
      yield* call.speaks()
      yield* call.quiet(780)
      assert.deepStrictEqual([call.turns(), call.stopped()], [[half], 0])
      yield* call.quiet(500)
      assert.deepStrictEqual([call.answers(), call.heard(), call.stopped()], [[], 0, 1])
      yield* call.speaks()
      yield* call.quiet(1_500)
      assert.deepStrictEqual([call.turns(), call.answers()], [[half, rest], ["A table at the window."]])
    }).pipe(Effect.scoped)
  )

  it.effect("does not delay the answer of a slow model, whatever its mark", () =>
    Effect.gen(function* () {
      for (const sign of ["^", "~", "="]) {
        const call = yield* callOf([says(1_400, `${sign} At six then.`)])
        yield* call.speaks()
        yield* call.quiet(2_100)
        assert.deepStrictEqual([call.answers(), call.asked.length], [["At six then."], 1], sign)
      }
    }).pipe(Effect.scoped)
  )

  it.effect("keeps to the newer guess when the caller goes on while a mark is on its way", () =>
    Effect.gen(function* () {
      const call = yield* callOf([says(700, "^ What time?"), says(20, "^ A table at the window.")], {
        agent: agentOf({ endpointing: { minSilenceMs: 900, maxSilenceMs: 2_500, semantic: "auto" } })
      })
      yield* call.speaks()
      yield* call.quiet(700)
      yield* call.speaks()
      yield* call.quiet(2_000)
      assert.deepStrictEqual(call.turns(), [`${half} ${rest}`])
      assert.deepStrictEqual([call.answers().at(-1), call.heard()], ["A table at the window.", 1])
    }).pipe(Effect.scoped)
  )

  it.effect("asks once more for an answer that was only a mark, and no tool reads one", () =>
    Effect.gen(function* () {
      const bare = yield* callOf([says(20, "^"), says(20, "At six then.")])
      yield* bare.speaks()
      yield* bare.quiet(1_000)
      assert.deepStrictEqual(bare.asked.map(wantsMark), [true, false])
      assert.deepStrictEqual(bare.answers(), ["At six then."])

      const withTool = yield* callOf([{ ...says(20, "^ One moment."), tool: "book" }, says(20, "It is booked.")], {
        agent: agentOf({
          tools: [
            {
              name: "book",
              description: "Books.",
              parameters: { type: "object", properties: {} },
              onInterruption: "keep"
            }
          ]
        })
      })
      yield* withTool.speaks()
      yield* withTool.quiet(1_000)
      assert.deepStrictEqual(withTool.answers(), ["One moment.", "It is booked."])
      assert.deepStrictEqual(
        withTool.tools.map(({ name }) => name),
        ["book"]
      )
      assert.notMatch(seen(withTool), /\^/)
    }).pipe(Effect.scoped)
  )

  it.effect("runs no tool of an answer whose mark says that the caller will go on, though both come at once", () =>
    Effect.gen(function* () {
      const tools = [
        { name: "book", description: "Books.", parameters: { type: "object", properties: {} }, onInterruption: "keep" }
      ] as const
      const call = yield* callOf(
        [{ ...says(500, "~ One moment."), tool: "book", atOnce: true }, says(20, "^ A table at the window.")],
        { agent: agentOf({ tools }) }
      )
      yield* call.speaks()
      yield* call.quiet(1_400)
      assert.deepStrictEqual([call.turns(), call.tools, call.answers(), call.heard()], [[half], [], [], 0])
      yield* call.speaks()
      yield* call.quiet(1_500)
      assert.deepStrictEqual([call.tools, call.answers(), call.heard()], [[], ["A table at the window."], 1])
    }).pipe(Effect.scoped)
  )

  it.effect("does not ask a model again that ignored the question twice, and not at all when the agent says so", () =>
    Effect.gen(function* () {
      const turnsOf = Effect.fnUntraced(function* (agent: AgentConfig) {
        const said = [half, half, half]
        const call = yield* callOf([says(20, "One."), says(20, "Two."), says(20, "Three.")], { agent, said })
        for (let i = 0; i < said.length; i++) {
          yield* call.speaks()
          yield* call.quiet(1_500)
          call.call.sound.silence()
          call.call.offer({ _tag: "Drained", spoken: { text: "Yes.", unheard: "", startMs: 0, endMs: 0 } })
          yield* call.quiet(100)
        }
        return call.asked.map(wantsMark)
      })
      assert.deepStrictEqual(yield* turnsOf(agentOf()), [true, true, false])
      const off = agentOf({ endpointing: { minSilenceMs: 400, maxSilenceMs: 2_500, semantic: "off" } })
      assert.deepStrictEqual(yield* turnsOf(off), [false, false, false])
    }).pipe(Effect.scoped)
  )
})
