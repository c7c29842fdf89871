/** A caller asks something that only an external MCP server knows. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { start, text } from "../../simulators/mcp/McpServer.ts"
import { ApiKeys } from "../../src/domain/people/access/ApiKey.ts"
import { Calls } from "../../src/domain/voice/calls/records/CallRecord.ts"
import { eventually } from "../support/eventually.ts"
import { startParley } from "../support/parley.ts"
import { playsInRealTime } from "../support/Slowness.ts"

playsInRealTime()

const lines = { parcel: "Where is my parcel?", bill: "And what does my bill say?" }
const inPune = "Your parcel is in Pune."
const sorry = "I cannot look up your bill now."

const tools = [
  {
    name: "track_parcel",
    description: "Says where a parcel is.",
    inputSchema: {
      type: "object" as const,
      properties: { parcel: { type: "object", properties: { number: { type: "string" } }, required: ["number"] } },
      required: ["parcel"]
    },
    run: () => text("In Pune since Monday.")
  },
  {
    name: "read_bill",
    description: "Reads a bill.",
    inputSchema: { type: "object" as const, properties: {} },
    run: () => new Promise<never>(() => undefined)
  }
]

describe("a call whose agent has tools of an MCP server", () => {
  it.live("is answered with what the server says, over one connection, and goes on when a tool hangs", () =>
    Effect.gen(function* () {
      const remote = yield* Effect.acquireRelease(
        Effect.promise(() => start({ tools })),
        (server) => Effect.promise(server.close)
      )
      const script = [
        {
          when: /parcel/i,
          tool: { name: "post_track_parcel", arguments: { parcel: { number: "42" } } },
          reply: inPune
        },
        { when: /bill/i, tool: { name: "post_read_bill", arguments: {} }, reply: sorry }
      ]
      const parley = yield* startParley({ lines, script })
      const { organizationId, agentId } = parley.tenant
      const { secret } = yield* ApiKeys.use((keys) =>
        keys.create({ organizationId, name: "admin", scopes: ["admin", "voice:write"] })
      ).pipe(Effect.provide(parley.services))
      const ask = (method: string, path: string, body: unknown) =>
        Effect.promise(async () => {
          const response = await fetch(parley.baseUrl + path, {
            method,
            headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
            body: JSON.stringify(body)
          })
          const answer: {
            readonly id: string
            readonly tools: ReadonlyArray<{
              readonly name: string
              readonly hash: string
              readonly agentToolName: string
            }>
          } = JSON.parse(await response.text())
          if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
          return answer
        })
      const server = yield* ask("POST", "/api/mcp-servers", { name: "Post", url: remote.url, timeoutMs: 1_500 })
      yield* ask("POST", `/api/mcp-servers/${server.id}/approve`, {
        tools: server.tools.map(({ name, hash }: { name: string; hash: string }) => ({ name, hash }))
      })
      yield* ask("PUT", `/api/voice-agents/${agentId}`, {
        silence: { promptAfterSeconds: 30 },
        tools: server.tools.map(({ name, agentToolName }: { name: string; agentToolName: string }) => ({
          name: agentToolName,
          handler: { type: "mcp", serverId: server.id, tool: name }
        }))
      })

      yield* parley.call(async (caller) => {
        await caller.waitForAgentToFinish()
        await caller.say(parley.samples("parcel"))
        await caller.waitForAgentToFinish()
        await caller.say(parley.samples("bill"))
        await caller.waitForAgentToFinish(3_000)
        caller.hangUp()
      })
      const { call, utterances } = yield* parley.stored
      assert.strictEqual(call.endReason, "caller_hangup")
      const said = utterances.filter(({ role }) => role === "agent").map(({ text }) => text)
      assert.includeMembers(said, [inPune, sorry])
      assert.deepStrictEqual(remote.called[0], { name: "track_parcel", input: { parcel: { number: "42" } } })
      assert.strictEqual(remote.state.sessions, 1)

      const told = parley.world.languageModel.requests.flatMap(({ messages }) =>
        messages.flatMap((message) => (message.role === "tool" ? [message.content] : []))
      )
      assert.includeMembers([...told], ["In Pune since Monday.", "The tool did not answer within 1500 ms."])
      const audited = yield* eventually(
        "both tools are audited",
        Calls.use((calls) => calls.toolCalls(organizationId, call.id)).pipe(
          Effect.map((entries) => (entries.length === 2 ? entries : undefined)),
          Effect.provide(parley.services)
        )
      )
      assert.deepStrictEqual(
        audited.map(({ name, outcome }) => [name, outcome]),
        [
          ["post_track_parcel", "ok"],
          ["post_read_bill", "error"]
        ]
      )
    })
  )
})
