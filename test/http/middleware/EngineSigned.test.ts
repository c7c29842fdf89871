import type { IncomingMessage, ServerResponse } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { listen } from "../../../simulators/support/Loopback.ts"
import type { CallEvent } from "../../../src/domain/voice/engine/CallEvent.ts"
import { AppCallbacks, EngineClient, type EngineProtocolError } from "../../../src/domain/voice/engine/EnginePorts.ts"
import { signEngineRequest } from "../../../src/domain/voice/engine/EngineSignature.ts"
import { OwnApp } from "../../../src/domain/voice/engine/OwnApp.ts"
import * as HttpAppCallbacks from "../../../src/integrations/engine/HttpAppCallbacks.ts"
import * as HttpEngineClient from "../../../src/integrations/engine/HttpEngineClient.ts"
import * as LocalAppCallbacks from "../../../src/integrations/engine/LocalAppCallbacks.ts"
import * as LocalEngineClient from "../../../src/integrations/engine/LocalEngineClient.ts"
import { setupOf } from "../../actors/voice/engine/engine.ts"
import { agentOf } from "../../support/agent.ts"
import { makeWorld, secret } from "../world.ts"

const event: CallEvent = {
  type: "call_started",
  id: "evt_1",
  organizationId: "org_1",
  agentId: "agt_1",
  callId: "call_1",
  startedAt: "2026-11-21T10:00:00.000Z"
}

const send = (base: string, path: string, body: string, signature?: string) =>
  Effect.promise(() =>
    fetch(base + path, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(signature === undefined ? {} : { "x-engine-signature": signature })
      },
      body
    })
  )

/** Another server in place of app or engine, until the scope ends. */
const serving = (answer: (request: IncomingMessage, response: ServerResponse) => unknown) =>
  Effect.acquireRelease(
    Effect.promise(() => listen(async (request, response) => void answer(request, response))),
    ({ close }) => Effect.promise(close)
  )

describe("between app and engine", () => {
  it.live("an event is delivered through its signed address", () =>
    Effect.gen(function* () {
      const { base, memory } = yield* makeWorld()
      const callbacks = yield* AppCallbacks.pipe(Effect.provide(HttpAppCallbacks.layer({ baseUrl: base, secret })))
      yield* callbacks.deliver(event)
      // Equal requests in the same second still count as two requests.
      yield* callbacks.deliver(event)
      assert.deepStrictEqual(memory.events, [event, event])
    })
  )

  it.live("a missing, forged, old or reused signature gets 401 and has no effect", () =>
    Effect.gen(function* () {
      const { base, memory } = yield* makeWorld()
      const path = "/api/voice-agents/webhook"
      const body = JSON.stringify(event)
      const sign = (key: string, at: string, nowMs: number) =>
        signEngineRequest(key, { method: "POST", path: at, body }, nowMs)
      const now = Date.now()
      const bad = [
        undefined,
        "nonsense",
        sign("other", path, now),
        sign(secret, "/x", now),
        sign(secret, path, now - 301_000)
      ]
      for (const signature of bad) assert.strictEqual((yield* send(base, path, body, signature)).status, 401)
      assert.strictEqual((yield* send(base, path, `${body} `, sign(secret, path, now))).status, 401)
      assert.deepStrictEqual(memory.events, [])
      const good = sign(secret, path, now)
      assert.strictEqual((yield* send(base, path, body, good)).status, 200)
      const again = yield* send(base, path, body, good)
      assert.strictEqual(again.status, 401)
      assert.deepStrictEqual(Object.keys((yield* Effect.promise(() => again.json())) as object), ["error"])
      assert.strictEqual(memory.events.length, 1)
    })
  )

  it.live("a configuration sent under another organization's path is refused", () =>
    Effect.gen(function* () {
      const { base, engine, call } = yield* makeWorld()
      yield* Effect.promise(() =>
        call("POST", "/api/voice-agents", {
          name: "A",
          welcomeMessage: "Hi",
          voiceFamily: "english",
          voiceId: "aura-2-zeus-en",
          systemPrompt: ""
        })
      )
      const [config] = engine.configs.values()
      const path = `/engine/organizations/org_2/agents/${config.agentId}`
      const body = JSON.stringify(config)
      const signature = signEngineRequest(secret, { method: "PUT", path, body }, Date.now())
      const headers = { "content-type": "application/json", "x-engine-signature": signature }
      const answer = yield* Effect.promise(() => fetch(base + path, { method: "PUT", headers, body }))
      assert.strictEqual(answer.status, 400)
    })
  )

  it.live(
    "a side that is unavailable for a moment is asked again with a new signature each time, and a refusal is final",
    () =>
      Effect.gen(function* () {
        const signatures: Array<unknown> = []
        const restarting = ["no answer", "no answer", "a proxy's answer"]
        const { url } = yield* serving((request, response) => {
          signatures.push(request.headers["x-engine-signature"])
          const trouble = restarting.shift()
          if (trouble === "no answer") request.socket.destroy()
          else if (trouble !== undefined) response.writeHead(502).end("<h1>Bad gateway</h1>")
          else response.writeHead(500).end('{"error":"no such voice"}')
        })
        const client = yield* EngineClient.pipe(Effect.provide(HttpEngineClient.layer({ baseUrl: url, secret })))
        const error = yield* Effect.flip(client.deleteAgent("org_1", "agt_1"))
        assert.deepInclude(error, { status: 500, message: "no such voice", retryable: true })
        assert.strictEqual(new Set(signatures).size, 4)
      })
  )

  it.live("an engine in the same process answers as it does over HTTP", () =>
    Effect.gen(function* () {
      const { base, engine } = yield* makeWorld()
      const overHttp = yield* EngineClient.pipe(Effect.provide(HttpEngineClient.layer({ baseUrl: base, secret })))
      const direct = yield* EngineClient.pipe(Effect.provide(LocalEngineClient.layer), Effect.provide(engine.layer))
      const config = agentOf()
      const setup = setupOf("call_1", { agentId: config.agentId, agentVersion: config.version })
      const same = Effect.fnUntraced(function* (
        ask: (client: EngineClient["Service"]) => Effect.Effect<unknown, EngineProtocolError>
      ) {
        const [one, other] = [yield* Effect.result(ask(overHttp)), yield* Effect.result(ask(direct))]
        assert.deepStrictEqual(other, one)
        return one
      })
      const place = same((client) => client.placeCall(config.organizationId, setup))
      const put = same((client) => client.putAgent(config))
      assert.deepInclude(yield* Effect.flip(Effect.fromResult(yield* place)), { status: 404, retryable: false })
      yield* put
      assert.deepInclude(yield* Effect.fromResult(yield* place), { token: "token of call_1" })
      engine.full = true
      assert.deepInclude(yield* Effect.flip(Effect.fromResult(yield* place)), { status: 429, retryable: true })
      engine.rejects = "no such voice"
      assert.deepInclude(yield* Effect.flip(Effect.fromResult(yield* put)), { status: 500, message: "no such voice" })
      yield* same((client) => client.deleteAgent(config.organizationId, config.agentId))
      assert.strictEqual(engine.configs.size, 0)
    })
  )

  it.live("an app in the same process applies events just as it applies posted ones, while it runs", () =>
    Effect.gen(function* () {
      const { base, memory } = yield* makeWorld()
      const options = { baseUrl: base, secret, deliverTimeoutMs: 500 }
      const context = yield* Layer.build(LocalAppCallbacks.layer(options).pipe(Layer.provideMerge(OwnApp.layer)))
      const { deliver } = Context.get(context, AppCallbacks)
      const { enter } = Context.get(context, OwnApp)
      const taken: Array<CallEvent> = []
      yield* deliver(event)
      assert.deepStrictEqual([memory.events, taken], [[event], []])
      yield* Effect.gen(function* () {
        yield* enter((one) => Effect.sync(() => void taken.push(one)))
        yield* deliver(event)
        assert.deepStrictEqual([memory.events, taken], [[event], [event]])
        yield* enter(() => Effect.die("the database is away"))
        assert.deepInclude(yield* Effect.flip(deliver(event)), { status: 500, retryable: true })
        yield* enter(() => Effect.never)
        assert.deepInclude(yield* Effect.flip(deliver(event)), { status: null, retryable: true })
      }).pipe(Effect.scoped)
      yield* deliver(event)
      assert.deepStrictEqual([memory.events, taken], [[event, event], [event]])
    })
  )

  it.live("a tool is requested again only when nobody took the first request, so that it cannot run twice", () =>
    Effect.gen(function* () {
      const troubles = ["nobody there", "lost on the way"]
      let asked = 0
      const { url } = yield* serving((request, response) => {
        asked++
        if (troubles.shift() === "nobody there") response.writeHead(502).end("<h1>Bad gateway</h1>")
        else request.socket.destroy()
      })
      const app = yield* AppCallbacks.pipe(Effect.provide(HttpAppCallbacks.layer({ baseUrl: url, secret })))
      const error = yield* Effect.flip(
        app.runTool({
          organizationId: "org_1",
          agentId: "agt_1",
          callId: "call_1",
          toolCallId: "call_1_tool",
          name: "pay",
          arguments: "{}"
        })
      )
      assert.strictEqual(error.status, null)
      assert.strictEqual(asked, 2)
    })
  )

  it.live("a request to an engine that does not answer in time is given up", () =>
    Effect.gen(function* () {
      const { url } = yield* serving(() => {})
      const options = { baseUrl: url, secret, saveTimeoutMs: 60 }
      const client = yield* EngineClient.pipe(Effect.provide(HttpEngineClient.layer(options)))
      const error = yield* Effect.flip(client.deleteAgent("org_1", "agt_1"))
      assert.match(error.message, /did not answer within 60 ms/)
    })
  )
})
