import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { type LanguageModelSimulator, start } from "../../../simulators/language-model/LanguageModel.ts"

describe("the language model simulator", () => {
  let model: LanguageModelSimulator
  beforeEach(async () => {
    model = await start({ firstTokenMs: 1, perTokenMs: 0, apiKey: "right", script: [{ when: /hello/, reply: "Hi." }] })
  })
  afterEach(() => model.close())

  const ask = (body: unknown, key = "right") =>
    fetch(`${model.url}/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body: typeof body === "string" ? body : JSON.stringify(body)
    })
  const call = { id: "call_1", type: "function", function: { name: "lookup", arguments: "{}" } }
  const user = { role: "user", content: "hello" }

  it("streams in the provider's chunks: role, words, finish reason, usage, done", async () => {
    const answer = await ask({ model: "m", messages: [user], stream: true, stream_options: { include_usage: true } })
    const lines = (await answer.text()).split("\n\n").filter((line) => line !== "")
    assert.match(answer.headers.get("content-type") ?? "", /^text\/event-stream/)
    assert.strictEqual(lines.pop(), "data: [DONE]")
    const chunks = lines.map((line) => JSON.parse(line.slice("data: ".length)))
    assert.deepStrictEqual(
      chunks.map((chunk) => chunk.choices[0]?.delta),
      [{ role: "assistant", content: "" }, { content: "Hi." }, {}, undefined]
    )
    assert.strictEqual(chunks[2].choices[0].finish_reason, "stop")
    assert.strictEqual(chunks[3].usage.total_tokens, 20)
  })

  it("composes its answer from the request when the script says so", async () => {
    const composing = await start({
      firstTokenMs: 1,
      apiKey: "right",
      script: [{ when: /hello/, compose: ({ model, messages }) => `${model} read ${messages.length} messages.` }]
    })
    const answer = await fetch(`${composing.url}/chat/completions`, {
      method: "POST",
      headers: { authorization: "Bearer right" },
      body: JSON.stringify({ model: "m", messages: [user] })
    })
    await composing.close()
    const body = (await answer.json()) as { choices: Array<{ message: { content: string } }> }
    assert.strictEqual(body.choices[0].message.content, "m read 1 messages.")
  })

  it("answers in one piece when no stream is asked for", async () => {
    const body = await (await ask({ model: "m", messages: [user] })).json()
    assert.strictEqual((body as { choices: Array<{ message: { content: string } }> }).choices[0].message.content, "Hi.")
  })

  it.each([
    ["a tool call nobody answered", [user, { role: "assistant", content: null, tool_calls: [call] }, user]],
    ["a tool call left open at the end", [user, { role: "assistant", content: null, tool_calls: [call] }]],
    ["a result nobody asked for", [user, { role: "tool", tool_call_id: "call_9", content: "x" }]],
    ["an assistant message without anything", [user, { role: "assistant", content: null }]],
    ["an unknown role", [{ role: "narrator", content: "x" }]],
    ["no messages", []]
  ])("refuses %s with 400", async (_, messages) => {
    const answer = await ask({ model: "m", messages, stream: true })
    assert.strictEqual(answer.status, 400)
    const { error } = (await answer.json()) as { error: { type: string; message: string } }
    assert.strictEqual(error.type, "invalid_request_error")
    assert.isNotEmpty(error.message)
    assert.isEmpty(model.requests)
  })

  it("refuses a wrong key with 401 and a body that is not JSON with 400", async () => {
    assert.strictEqual((await ask({ model: "m", messages: [user] }, "wrong")).status, 401)
    assert.strictEqual((await ask("{")).status, 400)
  })
})
