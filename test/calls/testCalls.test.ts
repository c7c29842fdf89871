/** A test call: an agent is talked to over a WebSocket without a telephone, also with changes that nobody has saved. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { openRaw } from "../../simulators/telephone/RawStream.ts"
import { type Parley, startParley } from "../support/parley.ts"
import { playsInRealTime } from "../support/Slowness.ts"
import { testCaller } from "../support/testCaller.ts"

playsInRealTime()

const lines = { hours: "Hello, I would like to know your opening hours.", human: "Please let me talk to a human." }
const script = [
  {
    when: /opening hours/i,
    tool: { name: "hours_of", arguments: { day: "today" } },
    reply: (result: string) => `We are open until ${result} today.`
  }
]

const start = Effect.map(startParley({ lines, script }), (parley: Parley) => {
  const request = (method: string, path: string, body?: object) =>
    Effect.promise(() => parley.request(method, path, body))
  /** An address of the test's service under its public name, as this machine reaches it. */
  const reached = (address: string): string => {
    const url = new URL(address)
    url.protocol = "ws:"
    url.host = new URL(parley.baseUrl).host
    return url.href
  }
  return { ...parley, request, reached, agent: `/api/voice-agents/${parley.tenant.agentId}` }
})

/** A shop's server that says until when it is open, to those who know the password. */
const shop = Effect.acquireRelease(
  Effect.promise(async () => {
    const server = createServer((request, response) =>
      response.end(request.headers["x-password"] === "sesame" ? "seven" : "nobody knows when")
    )
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
    return server
  }),
  (server) => Effect.sync(() => void server.close())
)

describe.concurrent("a test call", () => {
  it.live(
    "is held with the changes that came with it, costs nothing, and leaves the agent and the contacts as they were",
    () =>
      Effect.gen(function* () {
        const parley = yield* start
        const { port } = (yield* shop).address() as AddressInfo
        const draft = {
          welcomeMessage: "This is a try.",
          tools: [
            {
              name: "hours_of",
              description: "Says until when the shop is open.",
              parameters: { type: "object", properties: { day: { type: "string" } }, required: ["day"] },
              handler: {
                type: "http",
                url: `http://127.0.0.1:${port}/`,
                method: "POST",
                headers: { "x-password": "sesame" }
              }
            }
          ]
        }
        const before = yield* parley.request("GET", parley.agent)
        const placed = yield* parley.request("POST", `${parley.agent}/test-calls`, { draft })
        assert.strictEqual(placed.status, 201, JSON.stringify(placed.body))
        const caller = yield* testCaller(parley.reached(placed.body.url))
        yield* caller.hearOut
        yield* caller.say(parley.samples("hours"))
        yield* caller.hearOut
        yield* caller.hangUp

        const { call, utterances } = yield* parley.stored
        assert.deepStrictEqual(
          utterances.map(({ role, text }) => [role, text]),
          [
            ["agent", "Hello. You may be speaking with an AI assistant on this call."],
            ["agent", "This is a try."],
            ["caller", lines.hours],
            ["agent", "We are open until seven today."]
          ]
        )
        assert.deepInclude(call, {
          id: placed.body.callId,
          test: true,
          endReason: "caller_hangup",
          contactId: null,
          conversationId: null,
          callSid: null,
          from: "test",
          toolCallCount: 1
        })
        const shown = yield* parley.request("GET", `/api/calls/${call.id}`)
        assert.strictEqual(shown.body.cost, null)
        assert.strictEqual((yield* parley.request("GET", "/api/voice-usage")).body.totals.calls, 0)
        assert.deepStrictEqual((yield* parley.request("GET", parley.agent)).body, before.body)
        assert.strictEqual((yield* parley.request("GET", "/api/messaging-api/contacts")).body.total, 0)
      }).pipe(Effect.scoped)
  )

  it.live("is not transferred, because there is no telephone: the caller hears that no human can be reached", () =>
    Effect.gen(function* () {
      const parley = yield* start
      const { body } = yield* parley.request("POST", `${parley.agent}/test-calls`, {})
      const caller = yield* testCaller(parley.reached(body.url))
      yield* caller.hearOut
      yield* caller.say(parley.samples("human"))
      yield* caller.hearOut
      const { call } = yield* parley.stored
      assert.deepInclude(call.transfer, { destination: null })
      assert.notStrictEqual(call.endReason, "transferred")
    }).pipe(Effect.scoped)
  )

  it.live("can be joined once, and only with the token of its address", () =>
    Effect.gen(function* () {
      const parley = yield* start
      const { body } = yield* parley.request("POST", `${parley.agent}/test-calls`, {})
      const url = new URL(parley.reached(body.url))
      const refused = (changed: (url: URL) => void) =>
        Effect.promise(async () => {
          const other = new URL(url)
          changed(other)
          const stream = await openRaw(other.href)
          if (stream.status !== 101) return stream.status
          stream.send(JSON.stringify({ event: "start" }))
          return (await stream.closed).code
        })
      assert.strictEqual(yield* refused((other) => other.searchParams.delete("token")), 403)
      assert.strictEqual(yield* refused((other) => other.searchParams.set("token", "another")), 1008)
      assert.strictEqual(yield* refused((other) => other.searchParams.set("call", "call_unknown")), 1008)
      const caller = yield* testCaller(url.href)
      yield* caller.hearOut
      assert.strictEqual(yield* refused(() => {}), 1008)
      assert.isUndefined(caller.closed())
    }).pipe(Effect.scoped)
  )

  it.live("is refused with a sentence when the changes are wrong, and another organization's agent is not found", () =>
    Effect.gen(function* () {
      const parley = yield* start
      const wrong = yield* parley.request("POST", `${parley.agent}/test-calls`, { draft: { voiceId: "nobody" } })
      assert.strictEqual(wrong.status, 400)
      assert.include(wrong.body.error, "voiceId")
      assert.strictEqual((yield* parley.request("POST", "/api/voice-agents/agt_other/test-calls", {})).status, 404)
      assert.strictEqual((yield* parley.request("GET", `${parley.agent}/calls`)).body.total, 0)
    }).pipe(Effect.scoped)
  )
})
