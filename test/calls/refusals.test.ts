/** Requests and streams that are refused: forged and replayed requests, foreign streams, malformed and giant frames. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { startParley } from "../support/parley.ts"
import { playsInRealTime } from "../support/Slowness.ts"

playsInRealTime()

const lines = { hello: "Hello." }

const parameter = (twiml: string, name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(twiml)?.[1] ?? ""

describe("a service on the public Internet", () => {
  it.live("refuses forged and replayed webhooks, and foreign and malformed streams", () =>
    Effect.gen(function* () {
      const parley = yield* startParley({ lines })
      const { network, baseUrl, tenant } = parley
      const fields = { CallSid: "CA00000000000000000000000000000001", From: "+14155550100", To: tenant.calledNumber }

      const forged = yield* Effect.promise(() => network.webhook(fields, { signature: "Zm9yZ2Vk" }))
      const unsigned = yield* Effect.promise(() => network.webhook(fields, { signature: null }))
      const unknown = yield* Effect.promise(() =>
        network.webhook(fields, {
          account: {
            accountSid: `AC${"0".repeat(32)}`,
            authToken: "x",
            webhookUrl: `${baseUrl}/api/webhooks/telephony/voice`
          }
        })
      )
      assert.deepStrictEqual([forged.status, unsigned.status, unknown.status], [403, 403, 403])
      assert.strictEqual(unknown.body, forged.body)

      const answer = yield* Effect.promise(() => network.webhook(fields))
      assert.strictEqual(answer.status, 200)
      const [callId, token] = [parameter(answer.body, "callId"), parameter(answer.body, "token")]
      const streamUrl = `wss://${new URL(baseUrl).host}/media`
      const start = (over: object = {}, parameters: object = {}) =>
        JSON.stringify({
          event: "start",
          sequenceNumber: "1",
          streamSid: "MZ1",
          start: {
            accountSid: tenant.accountSid,
            callSid: fields.CallSid,
            streamSid: "MZ1",
            tracks: ["inbound"],
            mediaFormat: { encoding: "audio/x-mulaw", sampleRate: 8000, channels: 1 },
            customParameters: { callId, token, ...parameters },
            ...over
          }
        })
      const refusal = (message: string | Buffer, headers?: Record<string, string>) =>
        Effect.promise(async () => {
          const stream = await network.openRaw(streamUrl, headers)
          if (stream.status !== 101) return stream.status
          stream.send(message)
          return (await stream.closed).code
        })

      assert.strictEqual(yield* refusal("", { "x-other": "1" }), 403, "no signature")
      assert.strictEqual(yield* refusal(start(), { "x-twilio-signature": "Zm9yZ2Vk" }), 1008, "forged signature")
      assert.strictEqual(yield* refusal("{"), 1007, "malformed JSON")
      assert.strictEqual(yield* refusal(Buffer.from([1, 2, 3])), 1003, "binary")
      assert.notStrictEqual(yield* refusal("x".repeat(1_000_000)), 1000, "giant frame")
      assert.strictEqual(yield* refusal(start({}, { token: "1.forged" })), 1008, "wrong token")
      assert.strictEqual(yield* refusal(start({ callSid: "CA2" })), 1008, "foreign call")
      assert.strictEqual(yield* refusal(start({ accountSid: "AC2" })), 1008, "foreign account")

      // None of these has used up the token of the real stream. Using the token once does.
      const real = yield* Effect.promise(() => network.openRaw(streamUrl))
      real.send(start())
      yield* Effect.sleep("200 millis")
      assert.strictEqual(yield* refusal(start()), 1008, "replayed token")
      real.close()
      const { call } = yield* parley.stored
      assert.strictEqual(call.endReason, "caller_hangup")
      assert.isFalse(parley.logs.some((line) => line.includes(tenant.authToken) || line.includes(tenant.key)))
    }).pipe(Effect.scoped)
  )

  it.live("says a sentence on a number without an agent, and records the call", () =>
    Effect.gen(function* () {
      const parley = yield* startParley({ lines })
      const result = yield* parley.call(async () => {}, { to: "+14155550177" })
      assert.include(result.spoken.join(" "), "not in service")
      assert.strictEqual(result.endedBy, "twiml")
    }).pipe(Effect.scoped)
  )

  it.live("answers busy when no slot is free", () =>
    Effect.gen(function* () {
      const parley = yield* startParley({ lines, settings: { maxCalls: 1 } })
      yield* parley.call(async (caller) => {
        await caller.waitForAgentToSpeak()
        const second = await parley.network.call({
          from: "+14155550101",
          to: parley.tenant.calledNumber,
          caller: async () => {}
        })
        assert.strictEqual(second.rejected, "busy")
        caller.hangUp()
      })
    }).pipe(Effect.scoped)
  )
})
