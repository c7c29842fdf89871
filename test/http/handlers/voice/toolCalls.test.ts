import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { type BuiltinTool, BuiltinTools, runBuiltin } from "../../../../src/domain/ai/tools/BuiltinTools.ts"
import type { ToolHandler } from "../../../../src/domain/ai/tools/Tool.ts"
import { ToolRunner } from "../../../../src/domain/ai/tools/ToolRunner.ts"
import { toolUnfinished } from "../../../../src/domain/voice/calls/records/CallRecord.ts"
import { AppCallbacks } from "../../../../src/domain/voice/engine/EnginePorts.ts"
import type { ToolCallRequest } from "../../../../src/domain/voice/engine/ToolCallRequest.ts"
import * as HttpAppCallbacks from "../../../../src/integrations/engine/HttpAppCallbacks.ts"
import type { HttpToolsOptions } from "../../../../src/integrations/tools/HttpTools.ts"
import * as ToolHandlers from "../../../../src/integrations/tools/ToolHandlers.ts"
import { isPublicAddress } from "../../../../src/integrations/web/PublicNetwork.ts"
import { makeAccessWorld } from "../../../support/access.ts"
import { eventually } from "../../../support/eventually.ts"
import { noMcp } from "../../../support/mcp.ts"
import { emptyCall } from "../../memory.ts"
import { makeWorld, secret, type World } from "../../world.ts"

interface Seen {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly body: string
  readonly key: unknown
  readonly idempotencyKey: unknown
}

/** A customer's server; `answer` decides what it answers. */
const toolServer = (answer: (response: ServerResponse, request: IncomingMessage) => void) => {
  const seen: Array<Seen> = []
  return Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const server = createServer(async (request, response) => {
        let body = ""
        for await (const part of request) body += part
        const { "x-key": key, "idempotency-key": idempotencyKey } = request.headers
        seen.push({ method: request.method, url: request.url, body, key, idempotencyKey })
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

const context = {
  organizationId: "org_1",
  agentId: "agt_1",
  knowledgeBases: [],
  contactId: null,
  conversationId: null,
  callId: "call_1",
  idempotencyKey: "call_1:tool_1"
}

const run = (handler: ToolHandler, input = {}, options: HttpToolsOptions = { allowPrivateNetwork: true }) =>
  ToolRunner.use((runner) => runner.run(handler, input, context)).pipe(
    Effect.provide(ToolHandlers.layer(options).pipe(Layer.provide(Layer.merge(BuiltinTools.layer([]), noMcp))))
  )

/** A built-in tool that adds two numbers, and what it was told. */
const adding = () => {
  const told: Array<unknown> = []
  const number = { type: "integer" }
  const tool: BuiltinTool = {
    spec: {
      name: "add",
      description: "Adds two numbers",
      parameters: { type: "object", properties: { a: number, b: number }, required: ["a", "b"] }
    },
    agents: ["voice"],
    run: (context, input) =>
      Effect.sync(() => {
        told.push({ ...context, input })
        return { outcome: "ok", result: String(Number(input.a) + Number(input.b)) }
      })
  }
  const definition = { ...tool.spec, name: "sum", handler: { type: "builtin", name: "add" } }
  return { tool, told, definition }
}

const post = (url: string, more = {}): ToolHandler => ({ type: "http", url, method: "POST", ...more })

const callId = "call_1"

/** A call in progress with an agent that has one tool, and the callback by which the engine runs it. */
const callWith = Effect.fnUntraced(function* (world: World, tool: object) {
  const made = yield* Effect.promise(() =>
    world.call("POST", "/api/voice-agents", {
      name: "Booking",
      welcomeMessage: "Hi",
      voiceFamily: "english",
      voiceId: "aura-2-zeus-en",
      systemPrompt: "",
      tools: [tool]
    })
  )
  assert.strictEqual(made.status, 201, JSON.stringify(made.body))
  const agentId = String(made.body.id)
  world.memory.calls.push({
    ...emptyCall,
    id: callId,
    organizationId: "org_1",
    agentId,
    direction: "inbound",
    status: "in_progress",
    from: "+1",
    to: "+2",
    callSid: "CA1"
  })
  const { runTool } = yield* AppCallbacks.pipe(
    Effect.provide(HttpAppCallbacks.layer({ baseUrl: world.direct, secret }))
  )
  const request: ToolCallRequest = {
    organizationId: "org_1",
    agentId,
    callId,
    toolCallId: "tool_1",
    name: "find_slot",
    arguments: '{"size":4}'
  }
  return (changes: Partial<ToolCallRequest> = {}) => runTool({ ...request, ...changes })
})

const findSlot = (url: string, more: object = {}) => ({
  name: "find_slot",
  description: "Finds a slot",
  parameters: {
    type: "object",
    properties: {
      size: { type: "integer" },
      day: { type: "string", enum: ["Thu", "Fri"] }
    },
    required: ["size"]
  },
  handler: { type: "http", url, method: "POST", headers: { "x-key": "a secret of Acme" } },
  ...more
})

/** A server that does not answer until told to, and notices when its client goes away. */
const slowServer = Effect.gen(function* () {
  const waiting: Array<ServerResponse> = []
  let lost = 0
  const server = yield* toolServer((response) => {
    waiting.push(response)
    response.on("close", () => {
      if (!response.writableFinished) lost++
    })
  })
  return { ...server, waiting, lost: () => lost }
})

describe("a tool call", () => {
  it.live("runs the organization's tool once, returns its result and writes an audit entry", () =>
    Effect.gen(function* () {
      const server = yield* toolServer((response) => response.end('{"slot":"Friday"}'))
      const world = yield* makeWorld()
      const ask = yield* callWith(world, findSlot(`${server.url}/slots`))
      const expected = { outcome: "ok", result: '{"slot":"Friday"}' } as const
      const written = '{"size":4,"day":"Fri","note":"not a property of the tool"}'
      assert.deepStrictEqual(yield* ask({ arguments: written }), expected)
      assert.deepStrictEqual(yield* ask({ arguments: written }), expected)
      assert.deepStrictEqual(server.seen, [
        {
          method: "POST",
          url: "/slots",
          body: '{"size":4,"day":"Fri"}',
          key: "a secret of Acme",
          idempotencyKey: "call_1:tool_1"
        }
      ])
      const detail = yield* Effect.promise(() => world.call("GET", `/api/calls/${callId}`))
      const [entry] = detail.body.toolCalls as ReadonlyArray<Record<string, unknown>>
      assert.deepInclude(entry, { id: "tool_1", name: "find_slot", arguments: written, ...expected })
      assert.isAtLeast(Number(entry.durationMs), 0)
    })
  )

  it.live(
    "tells the model what is wrong with its arguments without calling the tool, and writes an audit entry for that too",
    () =>
      Effect.gen(function* () {
        const server = yield* toolServer((response) => response.end())
        const world = yield* makeWorld()
        const tool = yield* callWith(world, findSlot(server.url))
        const ask = (more: Partial<ToolCallRequest>) => tool({ toolCallId: JSON.stringify(more), ...more })
        assert.match((yield* ask({ arguments: "{" })).result, /one JSON object/)
        assert.match((yield* ask({ arguments: "{}" })).result, /"size" is missing/)
        assert.match((yield* ask({ arguments: '{"size":1.5}' })).result, /"size" must be of type integer/)
        assert.match((yield* ask({ arguments: '{"size":1,"day":"Mon"}' })).result, /"day" must be one of: Thu, Fri/)
        assert.match((yield* ask({ name: "other" })).result, /no tool named "other"/)
        assert.match((yield* ask({ organizationId: "org_2" })).result, /does not exist/)
        assert.strictEqual((yield* ask({ name: "escalate_to_human", arguments: '{"reason":"asked"}' })).outcome, "ok")
        assert.lengthOf(server.seen, 0)
        // All runs but the one of another organization, which this call does not belong to.
        assert.lengthOf(world.memory.toolCalls, 6)
      })
  )

  it.live("runs a built-in tool once with who it is for, and writes an audit entry", () =>
    Effect.gen(function* () {
      const { tool, told, definition } = adding()
      const world = yield* makeWorld({ builtinTools: [tool] })
      const ask = yield* callWith(world, definition)
      const request = { name: "sum", arguments: '{"a":2,"b":3}' }
      for (let time = 0; time < 2; time++) assert.deepStrictEqual(yield* ask(request), { outcome: "ok", result: "5" })
      const [agentId] = world.memory.agents.keys()
      assert.deepStrictEqual(told, [{ ...context, agentId, input: { a: 2, b: 3 } }])
      assert.lengthOf(world.memory.toolCalls, 1)
      assert.deepInclude(world.memory.toolCalls[0], { name: "sum", arguments: request.arguments, result: "5" })
    })
  )

  it.live("says again that more will be told, when it is asked for again", () =>
    Effect.gen(function* () {
      const { tool, definition } = adding()
      const run: BuiltinTool["run"] = () => Effect.succeed({ outcome: "ok", result: "Wait.", tellsLater: true })
      const world = yield* makeWorld({ builtinTools: [{ ...tool, run }] })
      const ask = yield* callWith(world, definition)
      const request = { name: "sum", arguments: '{"a":2,"b":3}' }
      for (let time = 0; time < 2; time++)
        assert.deepStrictEqual(yield* ask(request), { outcome: "ok", result: "Wait.", tellsLater: true })
    })
  )

  it.live("checks the arguments of a built-in tool, whatever the agent's own definition says of them", () =>
    Effect.gen(function* () {
      const { tool, told, definition } = adding()
      const world = yield* makeWorld({ builtinTools: [tool] })
      const loose = { type: "object", properties: { a: { type: "string" } } }
      const ask = yield* callWith(world, { ...definition, parameters: loose })
      const answer = yield* ask({ name: "sum", arguments: '{"a":"two"}' })
      assert.strictEqual(answer.outcome, "error")
      assert.match(answer.result, /"b" is missing/)
      // The tool has left the service since the agent was saved.
      const gone = yield* runBuiltin({ tools: [] }, "add", {}, context)
      assert.deepStrictEqual(gone, { outcome: "error", result: 'There is no built-in tool named "add".' })
      assert.lengthOf(told, 0)
    })
  )

  it.live(
    "of a name that no built-in tool has, or that callers' agents cannot have, is refused with those they can have",
    () =>
      Effect.gen(function* () {
        const { tool, definition } = adding()
        const forText: BuiltinTool = { ...tool, spec: { ...tool.spec, name: "buttons" }, agents: ["text"] }
        const { call } = yield* makeWorld({ builtinTools: [tool, forText] })
        const agent = {
          name: "Booking",
          welcomeMessage: "Hi",
          voiceFamily: "english",
          voiceId: "aura-2-zeus-en",
          systemPrompt: ""
        }
        const save = (method: string, path: string, body: object) => Effect.promise(() => call(method, path, body))
        for (const name of ["clock", "buttons"]) {
          const tools = [{ ...definition, handler: { type: "builtin", name } }]
          const refused = yield* save("POST", "/api/voice-agents", { ...agent, tools })
          assert.strictEqual(refused.status, 400)
          assert.match(String(refused.body.error), /"sum" that names no built-in tool of voice agents: they are add\./)
        }
        const made = yield* save("POST", "/api/voice-agents", { ...agent, tools: [definition] })
        assert.strictEqual(made.status, 201)
        const tools = [{ ...definition, handler: { type: "builtin", name: "clock" } }]
        const changed = yield* save("PUT", `/api/voice-agents/${made.body.id}`, { tools })
        assert.strictEqual(changed.status, 400)
      })
  )

  it.live("that cancels on interruption is aborted when the engine drops it, and the audit says why", () =>
    Effect.gen(function* () {
      const server = yield* slowServer
      const world = yield* makeWorld()
      const ask = yield* callWith(world, findSlot(server.url, { onInterruption: "cancel" }))
      const asked = yield* Effect.forkChild(ask())
      yield* eventually("the tool's request", () => server.waiting.length === 1)
      yield* Fiber.interrupt(asked)
      yield* eventually("the end of the tool's request", () => server.lost() === 1)
      yield* eventually("the audit entry", () => world.memory.toolCalls.some(({ begun }) => begun !== true))
      const cancelled = { outcome: "error", result: "Cancelled: the caller interrupted." } as const
      assert.deepInclude(world.memory.toolCalls[0], { id: "tool_1", name: "find_slot", ...cancelled })
      // A repeated request does not run it again.
      assert.deepStrictEqual(yield* ask(), cancelled)
      assert.lengthOf(server.seen, 1)
    })
  )

  it.live("that outlives interruption runs once to its end and is audited when the engine's connection drops", () =>
    Effect.gen(function* () {
      const server = yield* slowServer
      const world = yield* makeWorld()
      const ask = yield* callWith(world, findSlot(server.url))
      const asked = yield* Effect.forkChild(ask())
      yield* eventually("the tool's request", () => server.waiting.length === 1)
      yield* Fiber.interrupt(asked)
      // The caller hangs up meanwhile. The engine reconnects and asks again for the tool that is still running.
      world.memory.calls[0] = { ...world.memory.calls[0], status: "completed", endReason: "caller_hangup" }
      const again = yield* Effect.forkChild(ask(), { startImmediately: true })
      yield* Effect.sleep(100)
      assert.deepInclude(world.memory.toolCalls[0], { begun: true, result: toolUnfinished })
      server.waiting[0].end("booked")
      assert.deepStrictEqual(yield* Fiber.join(again), { outcome: "ok", result: "booked" })
      assert.strictEqual(server.lost(), 0)
      assert.lengthOf(server.seen, 1)
      assert.lengthOf(world.memory.toolCalls, 1)
      assert.deepInclude(world.memory.toolCalls[0], { outcome: "ok", result: "booked" })
      assert.isAtLeast(world.memory.toolCalls[0].durationMs, 90)
    })
  )

  it.live("that was begun by a process that died runs again only where that does no harm", () =>
    Effect.gen(function* () {
      const server = yield* toolServer((response) => void response.end("booked"))
      const died = {
        name: "find_slot",
        arguments: "{}",
        result: toolUnfinished,
        outcome: "error",
        durationMs: 0
      } as const
      const askAfter = Effect.fnUntraced(function* (handler: object) {
        const world = yield* makeWorld()
        const ask = yield* callWith(world, findSlot(server.url, handler))
        world.memory.toolCalls.push({
          ...died,
          id: "tool_1",
          begun: true,
          withheld: null,
          createdAt: new Date().toISOString()
        })
        return { answer: yield* ask(), again: yield* ask(), audit: world.memory.toolCalls }
      })
      const plain = yield* askAfter({})
      assert.strictEqual(plain.answer.outcome, "error")
      assert.include(plain.answer.result, "may or may not have done its work")
      assert.deepStrictEqual(plain.again, plain.answer)
      assert.lengthOf(plain.audit, 1)
      assert.deepInclude(plain.audit[0], { outcome: "error", result: plain.answer.result })
      assert.lengthOf(server.seen, 0)
      const keyed = yield* askAfter({ handler: { type: "http", url: server.url, method: "POST", idempotent: true } })
      assert.deepStrictEqual([keyed.answer, keyed.again], Array(2).fill({ outcome: "ok", result: "booked" }))
      assert.deepStrictEqual(
        server.seen.map(({ idempotencyKey }) => idempotencyKey),
        [`${callId}:tool_1`]
      )
    })
  )

  it.live("that another process ends meanwhile gives that answer", () =>
    Effect.gen(function* () {
      const server = yield* toolServer((response) => void response.end("booked"))
      const world = yield* makeWorld()
      const ask = yield* callWith(world, findSlot(server.url))
      const entry = {
        id: "tool_1",
        name: "find_slot",
        arguments: "{}",
        outcome: "ok",
        durationMs: 300,
        withheld: null
      } as const
      const createdAt = new Date().toISOString()
      world.memory.toolCalls.push({ ...entry, result: toolUnfinished, outcome: "error", begun: true, createdAt })
      const asked = yield* Effect.forkChild(ask(), { startImmediately: true })
      yield* Effect.sleep(100)
      world.memory.toolCalls[0] = { ...entry, result: "booked there", createdAt }
      assert.deepStrictEqual(yield* Fiber.join(asked), { outcome: "ok", result: "booked there" })
      assert.lengthOf(server.seen, 0)
    })
  )

  it.live("that is still running when the service stops also writes its audit entry", () =>
    Effect.gen(function* () {
      const server = yield* slowServer
      const memory = yield* Effect.scoped(
        Effect.gen(function* () {
          const world = yield* makeWorld()
          const ask = yield* callWith(world, findSlot(server.url))
          yield* Effect.forkChild(ask())
          yield* eventually("the tool's request", () => server.waiting.length === 1)
          return world.memory
        })
      )
      assert.lengthOf(memory.toolCalls, 1)
      assert.deepInclude(memory.toolCalls[0], { outcome: "error", result: "Cancelled: the service was stopped." })
    })
  )

  it.live("that comes after the hang-up is still run and audited", () =>
    Effect.gen(function* () {
      const server = yield* toolServer((response) => response.end("noted"))
      const world = yield* makeWorld()
      const ask = yield* callWith(world, findSlot(server.url))
      world.memory.calls[0] = { ...world.memory.calls[0], status: "completed", endReason: "caller_hangup" }
      assert.deepStrictEqual(yield* ask(), { outcome: "ok", result: "noted" })
      assert.lengthOf(world.memory.toolCalls, 1)
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

  it.live("tells the model about a time-out and an error status", () =>
    Effect.gen(function* () {
      const silent = yield* toolServer(() => {})
      assert.match((yield* run(post(silent.url, { timeoutMs: 50 }))).result, /did not answer within 50 ms/)
      assert.lengthOf(silent.seen, 1)
      const failing = yield* toolServer((response) => response.writeHead(503).end("closed"))
      assert.deepStrictEqual(yield* run(post(failing.url)), {
        outcome: "error",
        result: "The tool answered 503: closed"
      })
      assert.lengthOf(failing.seen, 1)
    })
  )

  it.live("cuts an answer after 16 KB at a character boundary, and tells the model", () =>
    Effect.gen(function* () {
      for (const [status, outcome] of [
        [200, "ok"],
        [404, "error"]
      ] as const) {
        // With characters of 3 bytes, a limit in bytes can fall inside a character.
        for (const lead of ["", "x", "xx"]) {
          const huge = yield* toolServer((response) => response.writeHead(status).end(lead + "अ".repeat(300_000)))
          const answer = yield* run(post(huge.url))
          assert.strictEqual(answer.outcome, outcome)
          assert.isAtMost(Buffer.byteLength(answer.result), 16 * 1024)
          assert.isAtLeast(Buffer.byteLength(answer.result), 16 * 1024 - 3)
          assert.match(answer.result, /अ\n\[The rest was cut off: an answer is at most 16 KB\.\]$/)
          assert.notInclude(answer.result, "\uFFFD")
        }
      }
      const full = yield* toolServer((response) => response.end("x".repeat(16 * 1024)))
      assert.deepStrictEqual(yield* run(post(full.url)), { outcome: "ok", result: "x".repeat(16 * 1024) })
    })
  )

  it.live("tries again after a lost connection only where that cannot repeat an effect", () =>
    Effect.gen(function* () {
      for (const method of ["GET", "PUT", "DELETE"] as const) {
        let lost = 0
        const flaky = yield* toolServer((response, request) => {
          if (lost++ === 0) request.socket.destroy()
          else response.end("second")
        })
        assert.deepStrictEqual(yield* run(post(flaky.url, { method })), { outcome: "ok", result: "second" })
        assert.deepStrictEqual(
          flaky.seen.map((seen) => seen.idempotencyKey),
          ["call_1:tool_1", "call_1:tool_1"]
        )
      }
      for (const method of ["POST", "PATCH"] as const) {
        const dead = yield* toolServer((_, request) => request.socket.destroy())
        assert.match((yield* run(post(dead.url, { method }))).result, /may or may not have done its work/)
        assert.lengthOf(dead.seen, 1)
      }
    })
  )

  it.live("tries any method once more when no connection could be opened", () =>
    Effect.gen(function* () {
      let refused = 0
      const server = yield* Effect.acquireRelease(
        Effect.callback<Server>((resume) => {
          // The server does not speak TLS. The handshake fails, so no request is sent.
          const plain = createTcpServer((socket) => {
            refused++
            socket.destroy()
          })
          plain.listen(0, "127.0.0.1", () => resume(Effect.succeed(plain)))
        }),
        (plain) => Effect.sync(() => plain.close())
      )
      const { port } = server.address() as AddressInfo
      assert.match((yield* run(post(`https://127.0.0.1:${port}/`))).result, /cannot be reached/)
      assert.strictEqual(refused, 2)
    })
  )

  it.live("never reaches private networks, however the address is written", () =>
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

  it("tells public addresses apart from others", () => {
    for (const address of ["8.8.8.8", "172.32.0.1", "2606:4700::1111"]) assert.isTrue(isPublicAddress(address), address)
    const refused = "10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 224.0.0.1 255.255.255.255"
    for (const address of `${refused} ::1 :: fe80::1 fc00::1 ::ffff:10.0.0.1 64:ff9b::a00:1 2002:a00:1:: nonsense`.split(
      " "
    ))
      assert.isFalse(isPublicAddress(address), address)
  })
})

describe("a tool that is tried", () => {
  it.live("runs once without a call, also with changes that nobody has saved, and the audit log says so", () =>
    Effect.gen(function* () {
      const customers = yield* toolServer((response, { headers }) =>
        response.end(headers["x-key"] === "a secret of Acme" ? "Thursday" : "nobody knows")
      )
      const world = yield* makeAccessWorld()
      const owner = yield* world.as("OWNER")
      const made = yield* owner.ask("POST", "/api/voice-agents", {
        body: {
          name: "Booking",
          welcomeMessage: "Hi",
          voiceFamily: "english",
          voiceId: "aura-2-zeus-en",
          systemPrompt: "",
          tools: [findSlot(`${customers.url}/slots`)]
        }
      })
      const path = `/api/voice-agents/${made.body.id}/tools`
      const attempt = (name: string, body: object, as = owner) => as.ask("POST", `${path}/${name}/try`, { body })

      const ran = yield* attempt("find_slot", { arguments: { size: 4 } })
      assert.deepInclude(ran.body, { outcome: "ok", result: "Thursday" })
      assert.isNumber(ran.body.durationMs)
      assert.deepInclude(customers.seen[0], { url: "/slots", body: '{"size":4}' })

      // The masked secret of the read stands for the stored one, and a tool that is only in the draft runs.
      const [{ handler, ...tool }] = made.body.tools
      const draft = { tools: [{ ...tool, name: "book", handler }] }
      assert.deepInclude((yield* attempt("book", { arguments: { size: 2 }, draft })).body, { result: "Thursday" })
      assert.strictEqual((yield* attempt("book", { arguments: { size: 2 } })).status, 404)
      assert.strictEqual((yield* attempt("escalate_to_human", { arguments: {} })).status, 404)

      const wrong = yield* attempt("find_slot", { arguments: { size: "many" } })
      assert.deepInclude(wrong.body, { outcome: "error", result: 'The argument "size" must be of type integer.' })
      const bad = yield* attempt("find_slot", { arguments: {}, draft: { tools: [{ ...tool, name: "no name" }] } })
      assert.strictEqual(bad.status, 400)
      assert.lengthOf(customers.seen, 2)

      const tried = (yield* world.audited()).filter(({ action }) => action === "voice_agent.tool_tried")
      assert.deepStrictEqual(
        tried.map(({ after, subjectId }) => [subjectId, after?.tool, after?.outcome]),
        [
          [made.body.id, "find_slot", "error"],
          [made.body.id, "book", "ok"],
          [made.body.id, "find_slot", "ok"]
        ]
      )
      const agent = yield* world.as("AGENT")
      assert.strictEqual((yield* attempt("find_slot", { arguments: { size: 1 } }, agent)).status, 403)
      const stranger = yield* world.as("OWNER", yield* world.otherOrganization)
      assert.strictEqual((yield* attempt("find_slot", { arguments: { size: 1 } }, stranger)).status, 404)
    })
  )
})
