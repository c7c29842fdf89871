/** Calls placed over the simulated provider's REST interface, by the vendor's own client and by ours, judged by the vendor's description. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import twilio from "twilio"
import { listen, readBody } from "../../../simulators/support/Loopback.ts"
import { start } from "../../../simulators/telephone/TelephoneNetwork.ts"
import { type CallOrder, ProviderCalls } from "../../../src/domain/voice/calls/outbound/ProviderCalls.ts"
import * as TwilioCalls from "../../../src/integrations/telephony/TwilioCalls.ts"
import { officialClient } from "../../contract/officialTwilio.ts"
import { judge } from "../../contract/Twilio.ts"
import { accountSid, authToken, webhookUrl } from "./support.ts"

const account = { accountSid, authToken }
const [from, to] = ["+14155550123", "+442079460100"]

interface Told {
  readonly path: string
  readonly genuine: boolean
  readonly fields: Record<string, string>
}

/** The simulated provider behind the check of its description, and a customer's app that says "Hello" to the callee. */
const world = Effect.gen(function* () {
  const told: Array<Told> = []
  const customer = yield* Effect.acquireRelease(
    Effect.promise(() =>
      listen(async (request, response) => {
        const fields = Object.fromEntries(new URLSearchParams(await readBody(request)))
        const { url: path = "", headers } = request
        const signature = String(headers["x-twilio-signature"])
        const genuine = twilio.validateRequest(authToken, signature, `http://${headers.host}${path}`, fields)
        told.push({ path, genuine, fields })
        response.end("<Response><Say>Hello</Say><Hangup/></Response>")
      })
    ),
    ({ close }) => Effect.promise(close)
  )
  const network = yield* Effect.acquireRelease(
    Effect.promise(() => start({ accountSid, authToken, webhookUrl })),
    ({ close }) => Effect.promise(close)
  )
  const judged = yield* judge(network.url)
  const order: CallOrder = {
    from,
    to,
    answerUrl: `${customer.url}/outbound/call_1`,
    statusUrl: `${customer.url}/status?call=call_1`,
    ringSeconds: 1,
    machineDetection: false
  }
  const calls = yield* ProviderCalls.pipe(Effect.provide(TwilioCalls.layer({ baseUrl: judged.url })))
  const statuses = () => told.filter(({ path }) => path.startsWith("/status")).map(({ fields }) => fields.CallStatus)
  return { network, judged, told, order, calls, statuses }
})

describe("a call placed over REST", () => {
  it.live("rings, is answered, asks for its instructions, and tells every state with a right signature", () =>
    Effect.gen(function* () {
      const { network, judged, told, order, calls, statuses } = yield* world
      const made = yield* calls.create(account, order)
      assert.deepInclude(made, { status: "queued", durationSeconds: null })
      yield* Effect.promise(() => network.placed.calls[0].result)
      assert.deepStrictEqual(statuses(), ["initiated", "ringing", "in-progress", "completed"])
      assert.deepStrictEqual(
        told.filter(({ fields }) => "SequenceNumber" in fields).map(({ fields }) => fields.SequenceNumber),
        ["0", "1", "2", "3"]
      )
      assert.isTrue(told.every(({ genuine, fields }) => genuine && fields.Direction === "outbound-api"))
      const asked = told.find(({ path }) => path === "/outbound/call_1")
      assert.deepInclude(asked?.fields, { CallSid: made.callSid, CallStatus: "in-progress", To: to })
      assert.deepInclude(yield* calls.fetch(account, made.callSid), { status: "completed", durationSeconds: 1 })
      const listed = yield* calls.placed(account, { from, to })
      assert.deepStrictEqual(
        listed.map(({ callSid }) => callSid),
        [made.callSid]
      )
      assert.isEmpty(yield* calls.placed(account, { from, to: "+442079460101" }))
      assert.deepStrictEqual(judged.problems, [])
    }).pipe(Effect.scoped)
  )

  it.live("ends as the callee's plan says: busy, not answered in time, refused by the carrier", () =>
    Effect.gen(function* () {
      const { network, judged, order, calls, statuses } = yield* world
      const ends = ["busy", "no-answer", "failed"] as const
      for (const [index, outcome] of ends.entries()) {
        network.placed.callees.set(to, { outcome, afterMs: outcome === "no-answer" ? 60_000 : 20 })
        const { callSid } = yield* calls.create(account, order)
        yield* Effect.promise(() => network.placed.calls[index].result)
        assert.strictEqual(statuses().at(-1), outcome)
        assert.strictEqual((yield* calls.fetch(account, callSid)).status, outcome.replace("-", "_"))
      }
      assert.deepStrictEqual(judged.problems, [])
    }).pipe(Effect.scoped)
  )

  it.live("works the same with the vendor's own client, including the vendor's refusals", () =>
    Effect.gen(function* () {
      const { network, judged, order } = yield* world
      const client = officialClient(judged.url, account)
      yield* Effect.promise(async () => {
        const made = await client.calls.create({ from, to, url: order.answerUrl, machineDetection: "Enable" })
        assert.deepInclude(made, { to, from, status: "queued", direction: "outbound-api" })
        await network.placed.calls[0].result
        assert.deepInclude(await client.calls(made.sid).fetch(), { status: "completed", duration: "1" })
        assert.lengthOf(await client.calls.list({ to }), 1)
        const wrong = await client.calls.create({ from, to: "12", url: order.answerUrl }).catch((cause) => cause)
        assert.strictEqual(wrong.code, 21211)
        network.provider.addNumber(accountSid, "+14155550199")
        const foreign = await client.calls.create({ from, to, url: order.answerUrl }).catch((cause) => cause)
        assert.strictEqual(foreign.code, 21212)
      })
      assert.deepStrictEqual(judged.problems, [])
    }).pipe(Effect.scoped)
  )

  it.live("is never requested twice by our client, which reports an error that lasts", () =>
    Effect.gen(function* () {
      const { network, judged, order, calls } = yield* world
      network.faults.restFault = (method) => (method === "POST" ? "lose" : undefined)
      assert.deepInclude(yield* Effect.flip(calls.create(account, order)), { status: null })
      assert.lengthOf(network.placed.calls, 1)
      network.faults.restFault = () => "refuse"
      assert.deepInclude(yield* Effect.flip(calls.create(account, order)), { status: 503 })
      assert.lengthOf(
        judged.exchanges.filter(({ method }) => method === "POST"),
        1
      )
      network.faults.restFault = null
      const wrong = yield* Effect.flip(calls.create(account, { ...order, to: "+1" }))
      assert.deepInclude(wrong, { status: 400, code: 21211 })
      assert.deepInclude(yield* Effect.flip(calls.fetch(account, `CA${"0".repeat(32)}`)), { status: 404 })
    }).pipe(Effect.scoped)
  )

  it.live("loses, repeats and delays callbacks on demand", () =>
    Effect.gen(function* () {
      const { network, order, calls, statuses } = yield* world
      const fates = { initiated: "lose", ringing: "late", "in-progress": "repeat" } as const
      network.faults.callbackFault = (status) => Object.entries(fates).find(([name]) => name === status)?.[1]
      yield* calls.create(account, order)
      yield* Effect.promise(() => network.placed.calls[0].result)
      assert.deepStrictEqual(statuses(), ["in-progress", "in-progress", "completed", "ringing"])
    }).pipe(Effect.scoped)
  )
})
