/** A client whose connection breaks in the middle of an answer. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { startMessagingWith } from "../../support/messaging.ts"

const accept = "application/json, text/event-stream"

describe("an answer that was interrupted", () => {
  it.live("is resumed by the id of the last event that arrived, by its own session only", () =>
    Effect.gen(function* () {
      const { base, key } = yield* startMessagingWith({})
      yield* Effect.promise(async () => {
        const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", accept }
        const post = (body: object, session: Record<string, string> = {}) =>
          fetch(`${base}/api/mcp`, { method: "POST", headers: { ...headers, ...session }, body: JSON.stringify(body) })
        const begin = async () => {
          const begun = await post({
            jsonrpc: "2.0",
            id: 1,
            method: "initialize",
            params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } }
          })
          await begun.text()
          return { "mcp-session-id": begun.headers.get("mcp-session-id") ?? "", "mcp-protocol-version": "2025-11-25" }
        }
        const session = await begin()
        const args = { to: "+14155550123", text: "Once" }
        const call = { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "send_message", arguments: args } }
        const answer = await post(call, session)
        const reader = answer.body?.getReader()
        const first = new TextDecoder().decode((await reader?.read())?.value)
        await reader?.cancel()
        const id = /^id: (\S+_1)$/m.exec(first)?.[1] ?? ""
        assert.notStrictEqual(id, "", first)

        const resume = (from: string, of: Record<string, string>) =>
          fetch(`${base}/api/mcp`, {
            headers: { ...headers, ...of, "last-event-id": from },
            signal: AbortSignal.timeout(20_000)
          })
        const resumed = await resume(id, session)
        assert.strictEqual(resumed.status, 200)
        const text = await resumed.text()
        const [, data] = /^data: (.+)$/m.exec(text) ?? []
        const message = JSON.parse(data ?? "{}") as { id: number; result: { structuredContent: { status: string } } }
        assert.deepStrictEqual([message.id, message.result.structuredContent.status], [7, "queued"])
        assert.match(text, /^id: \S+_2$/m)

        assert.strictEqual((await resume(id, await begin())).status, 404)
        assert.strictEqual((await resume("nonsense", session)).status, 400)
      })
    })
  )
})
