import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import { type LanguageModelOptions, start } from "../../../simulators/language-model/LanguageModel.ts"
import { listen } from "../../../simulators/support/Loopback.ts"
import { type ChatMessage, Reasoning, type ReasoningEvent } from "../../../src/domain/ai/providers/Reasoning.ts"
import type { ToolSpec } from "../../../src/domain/ai/tools/Tool.ts"
import { type ChatCompletionsOptions, layer } from "../../../src/integrations/llm/ChatCompletions.ts"

const lookup: ToolSpec = {
  name: "lookup_order",
  description: "Finds an order",
  parameters: { type: "object", properties: { orderId: { type: "string" } }, required: ["orderId"] }
}
const script: LanguageModelOptions["script"] = [
  { when: /hello/i, reply: "Hello there, how can I help?" },
  { when: /नमस्ते/, reply: "नमस्ते, मैं आपकी क्या मदद करूँ?" },
  {
    when: /order/i,
    tool: { name: "lookup_order", arguments: { orderId: "A 17" } },
    reply: (result) => `It is ${JSON.parse(result).status}.`
  }
]

const simulator = (options: LanguageModelOptions = {}) =>
  Effect.acquireRelease(
    Effect.promise(() => start({ script, firstTokenMs: 5, perTokenMs: 1, ...options })),
    (model) => Effect.promise(() => model.close())
  )

/** The address of a provider that answers every request with these events. */
const saying = (...events: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.promise(() =>
      listen(async (_, response) => void response.end(events.map((data) => `data: ${data}\n\n`).join("")))
    ),
    ({ close }) => Effect.promise(close)
  ).pipe(Effect.map(({ url }) => url))

const optionsFor = (baseUrl: string, more: Partial<ChatCompletionsOptions> = {}): ChatCompletionsOptions => ({
  baseUrl,
  apiKey: "gsk_test",
  models: ["first"],
  maxTokens: 300,
  temperature: 0.4,
  ...more
})

const user = (content: string): ChatMessage => ({ role: "user", content })

const ask = (options: ChatCompletionsOptions, messages: ReadonlyArray<ChatMessage>, tools = [lookup]) =>
  Effect.gen(function* () {
    const reasoning = yield* Reasoning
    return yield* Stream.runCollect(reasoning.stream({ messages, tools, user: "org_1" }))
  }).pipe(Effect.provide(layer(options)))

const textOf = (events: ReadonlyArray<ReasoningEvent>) =>
  events.map((event) => (event._tag === "Text" ? event.text : "")).join("")

describe("ChatCompletions", () => {
  it.live("passes the answer on while the model still writes it, and ends once", () =>
    Effect.gen(function* () {
      const model = yield* simulator({ perTokenMs: 20 })
      const times: Array<number> = []
      const reasoning = yield* Effect.provide(Reasoning, layer(optionsFor(model.url)))
      const events = yield* reasoning
        .stream({ messages: [{ role: "system", content: "Be kind." }, user("hello")], tools: [], user: "org_1" })
        .pipe(
          Stream.tap(() => Effect.sync(() => times.push(performance.now()))),
          Stream.runCollect
        )
      assert.strictEqual(textOf(events), "Hello there, how can I help?")
      const usage = { model: "first", inputTokens: 10, outputTokens: 10 }
      assert.deepStrictEqual(events.at(-1), { _tag: "End", finishReason: "stop", usage })
      assert.strictEqual(events.filter((event) => event._tag === "End").length, 1)
      assert.isAbove(times.at(-1)! - times[0], 60)
      assert.strictEqual(model.requests[0].user, "org_1")
      assert.isUndefined(model.requests[0].tools)
    })
  )

  it.live("holds words back until its reader has enough of them, and gives out the rest at the end", () =>
    Effect.gen(function* () {
      const model = yield* simulator({ perTokenMs: 5 })
      const asked: Array<string> = []
      const reasoning = yield* Effect.provide(Reasoning, layer(optionsFor(model.url)))
      const enough = (words: string) => asked.push(words) > 0 && words.includes(",")
      const events = yield* Stream.runCollect(
        reasoning.stream({ messages: [user("hello")], tools: [], user: "org_1", enough })
      )
      const texts = events.flatMap((event) => (event._tag === "Text" ? [event.text] : []))
      assert.lengthOf(texts, 2)
      assert.match(texts[0], /^Hello there, ?$/)
      assert.strictEqual(texts.join(""), "Hello there, how can I help?")
      assert.isAbove(asked.length, 2)
    })
  )

  it.live("answers turn after turn over one connection", () =>
    Effect.gen(function* () {
      const model = yield* simulator()
      yield* Effect.gen(function* () {
        const reasoning = yield* Reasoning
        for (const text of ["hello", "where is my order?", "hello"])
          yield* Stream.runDrain(reasoning.stream({ messages: [user(text)], tools: [lookup], user: "org_1" }))
      }).pipe(Effect.provide(layer(optionsFor(model.url))))
      assert.deepInclude(model.stats, { requests: 3, completed: 3, connections: 1 })
    })
  )

  it.live("asks reasoning models to reason little, and does not send that setting to other models", () =>
    Effect.gen(function* () {
      const model = yield* simulator()
      for (const name of ["openai/gpt-oss-20b", "first"])
        assert.isNotEmpty(yield* ask(optionsFor(model.url, { models: [name] }), [user("hello")]))
      assert.deepStrictEqual(
        model.requests.map(({ reasoning_effort }) => reasoning_effort),
        ["low", undefined]
      )
    })
  )

  it.live("assembles a tool call from its pieces and sends its result back", () =>
    Effect.gen(function* () {
      const model = yield* simulator()
      const first = yield* ask(optionsFor(model.url), [user("where is my order?")])
      assert.deepStrictEqual(
        first.map((event) => event._tag),
        ["ToolCall", "End"]
      )
      const call = first[0]._tag === "ToolCall" ? first[0].call : undefined
      assert.deepStrictEqual(call && { ...call, id: "x" }, {
        id: "x",
        name: "lookup_order",
        arguments: '{"orderId":"A 17"}'
      })
      const second = yield* ask(optionsFor(model.url), [
        user("where is my order?"),
        { role: "assistant", content: "", toolCalls: [call!] },
        { role: "tool", toolCallId: call!.id, content: '{"status":"on its way"}' }
      ])
      assert.strictEqual(textOf(second), "It is on its way.")
      assert.strictEqual(model.stats.refused, 0)
    })
  )

  it.live("passes Hindi on without broken characters, and never passes the model's reasoning on", () =>
    Effect.gen(function* () {
      const model = yield* simulator({ reasoning: "The user greets me, so I should greet back." })
      assert.strictEqual(textOf(yield* ask(optionsFor(model.url), [user("नमस्ते")])), "नमस्ते, मैं आपकी क्या मदद करूँ?")
    })
  )

  it.live("tries once more when the provider fails before the first word", () =>
    Effect.gen(function* () {
      const model = yield* simulator()
      for (const status of [0, 503, 429]) {
        Object.assign(model.faults, { failNext: 1, status })
        assert.strictEqual(textOf(yield* ask(optionsFor(model.url), [user("hello")])), "Hello there, how can I help?")
      }
      assert.strictEqual(model.stats.requests, 6)
    })
  )

  it.live("keeps asking a provider that is unavailable for a moment", () =>
    Effect.gen(function* () {
      const model = yield* simulator()
      Object.assign(model.faults, { failNext: 4, status: 0 })
      const answered = yield* ask(optionsFor(model.url, { models: ["first", "second"] }), [user("hello")])
      assert.strictEqual(textOf(answered), "Hello there, how can I help?")
      assert.deepStrictEqual(
        model.requests.map((request) => request.model),
        ["first", "first", "second", "second", "first"]
      )
    })
  )

  it.live("gives up with the true reason when its patience is over", () =>
    Effect.gen(function* () {
      const model = yield* simulator()
      for (const [status, reason] of [
        [503, "unavailable"],
        [429, "rate_limited"]
      ] as const) {
        Object.assign(model.faults, { failNext: 2, status })
        const error = yield* Effect.flip(ask(optionsFor(model.url, { patienceMs: 0 }), [user("hello")]))
        assert.strictEqual(error.reason, reason)
      }
      Object.assign(model.faults, { failNext: 2, status: 401 })
      assert.strictEqual(
        (yield* Effect.flip(ask(optionsFor(model.url, { patienceMs: 0 }), [user("hello")]))).reason,
        "rejected"
      )
      assert.strictEqual(model.stats.requests, 5)
    })
  )

  it.live("falls back on the next model when the first is retired, down or too slow", () =>
    Effect.gen(function* () {
      const model = yield* simulator({ models: ["second"] })
      const options = optionsFor(model.url, { models: ["first", "second"], firstTokenTimeoutMs: 300 })
      assert.strictEqual(textOf(yield* ask(options, [user("hello")])), "Hello there, how can I help?")

      const both = yield* simulator()
      const again = { ...options, baseUrl: both.url }
      Object.assign(both.faults, { failNext: 2, status: 500, onlyModel: "first" })
      assert.strictEqual(textOf(yield* ask(again, [user("hello")])), "Hello there, how can I help?")
      assert.deepStrictEqual(
        both.requests.map((request) => request.model),
        ["first", "first", "second"]
      )
    })
  )

  it.live("answers in words when the model's tool call is malformed", () =>
    Effect.gen(function* () {
      const model = yield* simulator({ defaultReply: "Let me see." })
      Object.assign(model.faults, { failNext: 1, status: 400, code: "tool_use_failed" })
      assert.strictEqual(textOf(yield* ask(optionsFor(model.url), [user("my order?")])), "Let me see.")
      assert.deepStrictEqual(
        model.requests.map((request) => request.tools?.length),
        [1, undefined]
      )
    })
  )

  it.live("fails at its deadlines for the first token and for silence in mid-answer", () =>
    Effect.gen(function* () {
      const model = yield* simulator()
      model.faults.hang = true
      const first = yield* Effect.flip(ask(optionsFor(model.url, { firstTokenTimeoutMs: 100 }), [user("hello")]))
      assert.strictEqual(first.reason, "timeout")
      model.faults.hang = false
      model.faults.midStream = { after: 2, how: "stall" }
      const later = yield* Effect.flip(ask(optionsFor(model.url, { chunkTimeoutMs: 100 }), [user("hello")]))
      assert.strictEqual(later.reason, "timeout")
      assert.strictEqual(model.stats.requests, 2)
    })
  )

  it.live(
    "passes on the words that came and then fails, without a second attempt, when the stream breaks in mid-answer",
    () =>
      Effect.gen(function* () {
        const model = yield* simulator()
        for (const how of ["drop", "error"] as const) {
          model.faults.midStream = { after: 2, how }
          const heard: Array<string> = []
          const reasoning = yield* Effect.provide(
            Reasoning,
            layer(optionsFor(model.url, { models: ["first", "second"] }))
          )
          const error = yield* reasoning.stream({ messages: [user("hello")], tools: [], user: "o" }).pipe(
            Stream.runForEach((event) => Effect.sync(() => event._tag === "Text" && heard.push(event.text))),
            Effect.flip
          )
          assert.strictEqual(heard.join(""), "Hello there, ")
          assert.strictEqual(error.reason, "unavailable")
        }
        assert.strictEqual(model.stats.requests, 2)
      })
  )

  it.live("aborts the request when the caller interrupts", () =>
    Effect.gen(function* () {
      const model = yield* simulator({ perTokenMs: 100 })
      const fiber = yield* Effect.forkChild(ask(optionsFor(model.url), [user("hello")]))
      while (model.requests.length === 0) yield* Effect.sleep(5)
      yield* Effect.sleep(120)
      yield* Fiber.interrupt(fiber)
      while (model.stats.aborted === 0) yield* Effect.sleep(5)
      assert.deepInclude(model.stats, { requests: 1, aborted: 1, completed: 0 })
    })
  )

  it.live("reports an answer that is not a completion as a protocol error", () =>
    Effect.gen(function* () {
      for (const data of [
        "<html>",
        "[]",
        "{}",
        '{"choices":[{"delta":{"content":7}}]}',
        '{"choices":[{"delta":{"tool_calls":[{"id":"call_1"}]}}]}',
        '{"choices":[{"delta":{"tool_calls":[{"index":-1}]}}]}'
      ]) {
        const error = yield* Effect.flip(ask(optionsFor(yield* saying(data)), [user("hello")]))
        assert.strictEqual(error.reason, "protocol", data)
      }
    })
  )

  it.live("accepts chunks with nulls, with unknown fields, and without choices", () =>
    Effect.gen(function* () {
      const url = yield* saying(
        '{"id":"c","error":null,"choices":[{"index":0,"delta":{"role":"assistant","content":null,"tool_calls":null}}]}',
        '{"choices":[{"delta":{"content":"Hello."},"finish_reason":null}]}',
        '{"choices":[{"delta":null,"finish_reason":"stop"}]}',
        '{"choices":[],"usage":{"total_tokens":3}}'
      )
      assert.deepStrictEqual(yield* ask(optionsFor(url), [user("hello")]), [
        { _tag: "Text", text: "Hello." },
        { _tag: "End", finishReason: "stop" }
      ])
    })
  )

  it.live("reads an error in mid-stream whichever of its fields are missing", () =>
    Effect.gen(function* () {
      for (const [data, message] of [
        ['{"error":{}}', "mid-stream: no message"],
        ['{"error":{"message":7,"type":"overloaded","code":null}}', "mid-stream overloaded: no message"],
        ['{"error":{"message":"Busy","type":{},"code":503}}', "mid-stream 503: Busy"]
      ]) {
        const url = yield* saying(data)
        const error = yield* Effect.flip(ask(optionsFor(url, { patienceMs: 0 }), [user("hello")]))
        assert.deepInclude(error, { reason: "unavailable", message })
      }
    })
  )

  it.live("reports an event that never ends as a protocol error", () =>
    Effect.gen(function* () {
      const server = yield* Effect.acquireRelease(
        Effect.promise(() => listen(async (_, response) => void response.end(`data: ${"x".repeat(1_100_000)}`))),
        ({ close }) => Effect.promise(close)
      )
      const error = yield* Effect.flip(ask(optionsFor(server.url), [user("hello")]))
      assert.strictEqual(error.reason, "protocol")
      assert.match(error.message, /longer than 1048576 characters/)
    })
  )
})
