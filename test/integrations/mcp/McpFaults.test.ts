import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Fault, start } from "../../../simulators/mcp/FaultyMcp.ts"
import { mostMcpResultBytes } from "../../../src/domain/ai/tools/McpClient.ts"
import type { McpHealth } from "../../../src/domain/ai/tools/McpServer.ts"
import { eventually } from "../../support/eventually.ts"
import { poolFor, serverAt } from "./pool.ts"

const faulty = Effect.acquireRelease(
  Effect.promise(() => start()),
  (server) => Effect.promise(server.close)
)

const stage = Effect.gen(function* () {
  const remote = yield* faulty
  const pool = yield* poolFor(serverAt(remote.url, { timeoutMs: 1_000 }))
  const call = Effect.suspend(() => pool.client.call(pool.server, "look_up", {}))
  return { remote, pool, call }
})

describe("an MCP server that breaks the protocol", () => {
  const sentences: ReadonlyArray<readonly [Fault, RegExp]> = [
    ["call_hangs", /^The tool did not answer within 1000 ms\.$/],
    ["call_streams", /^The tool did not answer within 1000 ms\.$/],
    ["call_has_wrong_id", /^The tool did not answer within 1000 ms\.$/],
    ["call_floods", /did not answer within 1000 ms|connection to the server was lost/],
    ["call_breaks_off", /may or may not have done its work|not one of MCP|did not answer/],
    ["call_is_no_json", /^The server's answer is not one of MCP/],
    ["call_is_no_result", /^The server's answer is not one of MCP/]
  ]
  for (const [fault, sentence] of sentences)
    it.live(`gives the model a sentence and works again afterwards: ${fault}`, () =>
      Effect.gen(function* () {
        const { remote, pool, call } = yield* stage
        yield* pool.client.test(pool.server)
        assert.strictEqual((yield* call).result, "found")
        remote.state.fault = fault
        const answer = yield* call
        assert.strictEqual(answer.outcome, "error")
        assert.match(answer.result, sentence)
        remote.state.fault = "none"
        // Nothing of the failed request stays open.
        yield* eventually("nothing stays open", () => {
          assert.strictEqual(remote.state.open, 0)
          return true
        })
        assert.deepStrictEqual(yield* call, { outcome: "ok", result: "found" })
      })
    )

  it.live("has a huge answer cut, and never inside a character", () =>
    Effect.gen(function* () {
      const { remote, call } = yield* stage
      remote.state.fault = "call_is_huge"
      const { outcome, result } = yield* call
      assert.strictEqual(outcome, "ok")
      assert.isAtMost(Buffer.byteLength(result), mostMcpResultBytes)
      assert.match(result, /^é+\n\[The rest was cut off: an answer is at most 32 KB\.\]$/)
    })
  )

  const tests: ReadonlyArray<readonly [Fault, RegExp, McpHealth["status"]]> = [
    ["hangs", /did not answer in time/, "failing"],
    ["not_mcp", /not one of MCP/, "failing"],
    ["refuses", /refuses our credentials/, "unauthorized"],
    ["redirects", /redirects to another address/, "failing"],
    ["bad_list", /not one of MCP/, "failing"],
    ["endless_list", /not one of MCP/, "failing"],
    ["huge_list", /longer|lost|not one of MCP/, "failing"]
  ]
  for (const [fault, sentence, status] of tests)
    it.live(`is shown as it is when it is tested: ${fault}`, () =>
      Effect.gen(function* () {
        const { remote, pool } = yield* stage
        remote.state.fault = fault
        const error = yield* Effect.flip(pool.client.test(pool.server))
        assert.match(error.message, sentence)
        assert.deepInclude(pool.server.health, { status, error: error.message })
        assert.isEmpty(pool.server.offered)
      })
    )

  it.live("on a private address is not asked, nor is one whose name leads there", () =>
    Effect.gen(function* () {
      const remote = yield* faulty
      for (const url of [remote.url, remote.url.replace("127.0.0.1", "[::1]"), "http://169.254.169.254/mcp"]) {
        const { client, server } = yield* poolFor(serverAt(url), {})
        assert.match((yield* client.call(server, "look_up", {})).result, /not on the public internet/)
        assert.match(client.refusal(url) ?? "", /not on the public internet/)
      }
      assert.strictEqual(remote.state.calls, 0)
    })
  )

  it.live("that fails again and again is not asked for a while", () =>
    Effect.gen(function* () {
      const { remote, call } = yield* stage
      remote.state.fault = "call_is_no_json"
      for (let n = 0; n < 4; n++) yield* call
      const { calls } = remote.state
      assert.match((yield* call).result, /has failed several times and is not asked for now/)
      assert.strictEqual(remote.state.calls, calls)
    })
  )
})
