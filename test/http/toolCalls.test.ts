import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { AppCallbacks } from "../../src/domain/EngineProtocol.ts"
import { ToolRunner } from "../../src/domain/RunTool.ts"
import type { ToolHandler } from "../../src/domain/Tool.ts"
import * as HttpAppCallbacks from "../../src/integrations/engine/HttpAppCallbacks.ts"
import * as HttpTools from "../../src/integrations/tools/HttpTools.ts"
import { isPublicAddress } from "../../src/integrations/tools/PublicAddress.ts"
import { makeWorld, secret } from "./world.ts"

interface Seen {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly body: string
  readonly key: unknown
}

/** A customer's server; `answer` decides what it says. */
const toolServer = (answer: (response: ServerResponse, request: IncomingMessage) => void) => {
  const seen: Array<Seen> = []
  return Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const server = createServer(async (request, response) => {
        let body = ""
        for await (const part of request) body += part
        seen.push({ method: request.method, url: request.url, body, key: request.headers["x-key"] })
        answer(response, request)
      })
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  ).pipe(Effect.map((server) => ({ seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })))
}

const run = (handler: ToolHandler, input = {}, options: HttpTools.HttpToolsOptions = { allowPrivateNetwork: true }) =>
  ToolRunner.use((runner) => runner.run(handler, input)).pipe(Effect.provide(HttpTools.layer(options)))

const post = (url: string, more = {}): ToolHandler => ({ type: "http", url, method: "POST", ...more })

describe("a tool call", () => {
  it.live("runs the organization's tool once, answers its result and leaves an audit entry", () =>
    Effect.gen(function* () {
      const server = yield* toolServer((response) => response.end('{"slot":"Friday"}'))
      const { base, memory, call } = yield* makeWorld()
      const made = yield* Effect.promise(() =>
        call("POST", "/api/voice-agents", {
          name: "Booking",
          welcomeMessage: "Hi",
          voiceFamily: "english",
          voiceId: "aura-2-zeus-en",
          systemPrompt: "",
          tools: [
            {
              name: "find_slot",
              description: "Finds a slot",
              parameters: {
                type: "object",
                properties: { size: { type: "integer" }, day: { type: "string", enum: ["Thu", "Fri"] } },
                required: ["size"]
              },
              handler: { type: "http", url: `${server.url}/slots`, method: "POST", headers: { "x-key": "k" } }
            }
          ]
        })
      )
      const callId = "call_1"
      memory.calls.push({
        id: callId,
        organizationId: "org_1",
        agentId: String(made.body.id),
        contactId: null,
        conversationId: null,
        direction: "inbound",
        status: "in_progress",
        endReason: null,
        from: "+1",
        to: "+2",
        callSid: "CA1",
        startedAt: null,
        endedAt: null,
        durationSeconds: null,
        interruptions: 0,
        toolCallCount: 0,
        turns: [],
        createdAt: ""
      })
      const { runTool } = yield* AppCallbacks.pipe(Effect.provide(HttpAppCallbacks.layer({ baseUrl: base, secret })))
      const request = {
        organizationId: "org_1",
        agentId: String(made.body.id),
        callId,
        toolCallId: "tool_1",
        name: "find_slot",
        arguments: '{"size":4,"day":"Fri"}'
      }
      const expected = { outcome: "ok", result: '{"slot":"Friday"}' } as const
      assert.deepStrictEqual(yield* runTool(request), expected)
      assert.deepStrictEqual(yield* runTool(request), expected)
      assert.deepStrictEqual(server.seen, [{ method: "POST", url: "/slots", body: '{"size":4,"day":"Fri"}', key: "k" }])
      const detail = yield* Effect.promise(() => call("GET", `/api/calls/${callId}`))
      assert.deepInclude((detail.body.toolCalls as ReadonlyArray<object>)[0], {
        id: "tool_1",
        name: "find_slot",
        ...expected
      })

      const ask = (more: object) => runTool({ ...request, toolCallId: JSON.stringify(more), ...more })
      assert.match((yield* ask({ arguments: "{" })).result, /one JSON object/)
      assert.match((yield* ask({ arguments: "{}" })).result, /"size" is missing/)
      assert.match((yield* ask({ arguments: '{"size":1.5}' })).result, /"size" must be of type integer/)
      assert.match((yield* ask({ arguments: '{"size":1,"day":"Mon"}' })).result, /"day" must be one of: Thu, Fri/)
      assert.match((yield* ask({ name: "other" })).result, /no tool named "other"/)
      assert.match((yield* ask({ organizationId: "org_2" })).result, /does not exist/)
      assert.strictEqual((yield* ask({ name: "escalate_to_human", arguments: '{"reason":"asked"}' })).outcome, "ok")
      assert.strictEqual(server.seen.length, 1)
    })
  )

  it.live("sends the arguments of a GET in the query", () =>
    Effect.gen(function* () {
      const server = yield* toolServer((response) => response.end("sunny"))
      const handler: ToolHandler = { type: "http", url: `${server.url}/weather?unit=c`, method: "GET" }
      assert.deepStrictEqual(yield* run(handler, { city: "Pune & co", days: 2 }), { outcome: "ok", result: "sunny" })
      assert.strictEqual(server.seen[0].url, "/weather?unit=c&city=Pune+%26+co&days=2")
    })
  )

  it.live("tells the model about a time-out, an error status and an answer that is too large", () =>
    Effect.gen(function* () {
      const silent = yield* toolServer(() => {})
      assert.match((yield* run(post(silent.url, { timeoutMs: 50 }))).result, /did not answer within 50 ms/)
      const failing = yield* toolServer((response) => response.writeHead(503).end("closed"))
      assert.deepStrictEqual(yield* run(post(failing.url)), {
        outcome: "error",
        result: "The tool answered 503: closed"
      })
      const huge = yield* toolServer((response) => response.end("x".repeat(1_000_000)))
      assert.match((yield* run(post(huge.url))).result, /larger than 16 KB/)
    })
  )

  it.live("tries once more after a lost connection, and then says so", () =>
    Effect.gen(function* () {
      let lost = 0
      const flaky = yield* toolServer((response, request) => {
        if (lost++ === 0) request.socket.destroy()
        else response.end("second")
      })
      assert.deepStrictEqual(yield* run(post(flaky.url)), { outcome: "ok", result: "second" })
      const dead = yield* toolServer((_, request) => request.socket.destroy())
      assert.match((yield* run(post(dead.url))).result, /cannot be reached/)
      assert.strictEqual(dead.seen.length, 2)
    })
  )

  it.live("never reaches into private networks, whatever the address looks like", () =>
    Effect.gen(function* () {
      const server = yield* toolServer((response) => response.end("inside"))
      const { port } = new URL(server.url)
      for (const host of ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0"]) {
        const answer = yield* run(post(`http://${host}:${port}/`), {}, {})
        assert.deepStrictEqual(answer.outcome, "error", host)
      }
      assert.strictEqual(server.seen.length, 0)
      const redirecting = yield* toolServer((response) => response.writeHead(302, { location: server.url }).end())
      assert.match((yield* run(post(redirecting.url))).result, /302/)
      assert.strictEqual(server.seen.length, 0)
    })
  )

  it("knows public addresses from the others", () => {
    for (const address of ["8.8.8.8", "172.32.0.1", "2606:4700::1111"]) assert.isTrue(isPublicAddress(address), address)
    const refused = "10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 224.0.0.1 255.255.255.255"
    for (const address of `${refused} ::1 :: fe80::1 fc00::1 ::ffff:10.0.0.1 64:ff9b::a00:1 2002:a00:1:: nonsense`.split(
      " "
    ))
      assert.isFalse(isPublicAddress(address), address)
  })
})
