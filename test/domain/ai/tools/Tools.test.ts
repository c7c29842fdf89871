import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import type { ToolDefinition } from "../../../../src/domain/ai/tools/Tool.ts"
import { toolsProblem } from "../../../../src/domain/ai/tools/ToolRules.ts"
import { keepSecrets, maskSecrets } from "../../../../src/domain/ai/tools/ToolSecrets.ts"
import { maskSecret } from "../../../../src/domain/basics/MaskedSecret.ts"

type Handler = Extract<ToolDefinition["handler"], { readonly type: "http" }>

const handler = (changes: Partial<Handler> = {}): Handler => ({
  type: "http",
  url: "https://shop.example.com/orders",
  method: "POST",
  ...changes
})

const tool = (changes: Partial<ToolDefinition> = {}): ToolDefinition => ({
  name: "order_status",
  description: "Where an order is",
  parameters: { type: "object", properties: { order: { type: "string" } }, required: ["order"] },
  handler: handler(),
  ...changes
})

describe("the rules for tools", () => {
  const properties = { order: { type: "string" } }
  const broken: ReadonlyArray<readonly [string, Partial<ToolDefinition>, RegExp]> = [
    ["an unknown type", { parameters: { type: "object", properties: { order: { type: "text" } } } }, /"order".*type/],
    ["an empty enum", { parameters: { type: "object", properties: { order: { type: "string", enum: [] } } } }, /empty/],
    ["a required stranger", { parameters: { type: "object", properties, required: ["id"] } }, /"id".*not among/],
    [
      "a required name that is empty",
      { parameters: { type: "object", properties: { "": { type: "string" } }, required: [""] } },
      /that has a value of "required" that it cannot have/
    ],
    ["an address that is none", { handler: handler({ url: "shop" }) }, /http\(s\)/],
    ["another scheme", { handler: handler({ url: "file:///etc/passwd" }) }, /http\(s\)/],
    ["a password in the address", { handler: handler({ url: "https://a:b@shop.example.com" }) }, /into headers/],
    ["no time at all", { handler: handler({ timeoutMs: 0 }) }, /timeoutMs/],
    ["more time than the engine waits", { handler: handler({ timeoutMs: 60_000 }) }, /timeoutMs/],
    ["a second header in a value", { handler: handler({ headers: { "x-a": "1\r\nx-b: 2" } }) }, /"x-a"/],
    ["a name that is none", { handler: handler({ headers: { "x a": "1" } }) }, /name/],
    ["a header of the connection", { handler: handler({ headers: { "Transfer-Encoding": "chunked" } }) }, /Transfer/],
    ["our own header", { handler: handler({ headers: { "Idempotency-Key": "1" } }) }, /Idempotency/],
    ["a header twice", { handler: handler({ headers: { "X-A": "1", "x-a": "2" } }) }, /twice/],
    ["an endless header", { handler: handler({ headers: { "x-a": "1".repeat(5_000) } }) }, /too long/]
  ]
  for (const [what, changes, sentence] of broken)
    it(`refuse ${what}`, () => assert.match(toolsProblem([tool(changes)]) ?? "", sentence))

  it("refuse two tools of the same name and too many tools, and accept a valid one", () => {
    assert.isUndefined(toolsProblem([tool({ handler: handler({ timeoutMs: 5_000, headers: { "x-a": "é" } }) })]))
    assert.match(toolsProblem([tool(), tool()]) ?? "", /two tools named "order_status"/)
    assert.match(toolsProblem(Array.from({ length: 65 }, (_, n) => tool({ name: `t${n}` }))) ?? "", /64/)
  })
})

describe("the secrets of tools", () => {
  const secret = "Bearer sk-live-51H8"
  const stored = [tool({ handler: handler({ headers: { Authorization: secret, "x-team": "7" } }) })]
  const headersOf = (tools: ReadonlyArray<ToolDefinition>) => {
    const found = tools[0].handler
    return found?.type === "http" ? found.headers : undefined
  }
  const sent = (headers: Record<string, string>, changes: Partial<ToolDefinition> = {}, url = handler().url) => [
    tool({ handler: handler({ url, headers }), ...changes })
  ]

  it("show at most their last four characters, and none when they are short", () => {
    assert.deepStrictEqual(headersOf(maskSecrets(stored)), { Authorization: "********51H8", "x-team": "********" })
    assert.strictEqual(maskSecret("1234567"), "********")
    assert.notInclude(JSON.stringify(maskSecrets(stored)), "sk-live")
  })

  it("stay when a client sends back what it read, even with a new tool name or another query", () => {
    assert.deepStrictEqual(keepSecrets(stored, maskSecrets(stored)), Result.succeed(stored))
    const renamed = sent({ authorization: "********51H8" }, { name: "track" }, `${handler().url}?full=1`)
    const kept = Result.getOrThrow(keepSecrets(stored, renamed))
    assert.deepStrictEqual(headersOf(kept), { authorization: secret })
  })

  it("can be replaced and removed", () => {
    const replaced = sent({ Authorization: "Bearer another" })
    assert.deepStrictEqual(keepSecrets(stored, replaced), Result.succeed(replaced))
    assert.deepStrictEqual(keepSecrets(stored, sent({})), Result.succeed(sent({})))
  })

  it("are not sent to another address, nor guessed from their last characters", () => {
    const masked = { Authorization: "********51H8" }
    for (const url of [
      "https://thief.example.com/",
      "http://shop.example.com/",
      "https://shop.example.com:8443/",
      "https://shop.example.com/track",
      "x"
    ])
      assert.match(Result.getOrThrow(Result.flip(keepSecrets(stored, sent(masked, {}, url)))), /"Authorization"/)
    for (const value of ["********", "********0000", "********51H8 "])
      assert.isTrue(Result.isFailure(keepSecrets(stored, sent({ Authorization: value }))))
    assert.isTrue(Result.isFailure(keepSecrets(stored, sent({ "x-other": "********51H8" }))))
    assert.isTrue(Result.isFailure(keepSecrets([], maskSecrets(stored))))
  })

  it("go to the tool of the same name when two look alike", () => {
    const two = [
      tool({ name: "a", handler: handler({ headers: { key: "first-key-0000" } }) }),
      tool({ name: "b", handler: handler({ headers: { key: "second-key-0000" } }) })
    ]
    assert.deepStrictEqual(keepSecrets(two, maskSecrets(two)), Result.succeed(two))
    assert.deepStrictEqual(
      keepSecrets(two, maskSecrets(two).toReversed()),
      Result.succeed<ReadonlyArray<ToolDefinition>>(two.toReversed())
    )
  })
})
