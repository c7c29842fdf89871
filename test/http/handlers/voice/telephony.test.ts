import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import twilio from "twilio"
import { organization } from "../../memory.ts"
import { account, connect, hooks, incoming, post } from "../../telephone.ts"
import { makeWorld, publicBaseUrl, type World } from "../../world.ts"

const path = `${hooks}/voice`

const scenario = (name: string, run: (world: World) => Promise<void>) =>
  it.live(name, () =>
    Effect.flatMap(makeWorld(), (world) =>
      Effect.promise(async () => {
        await connect(world)
        await run(world)
      })
    )
  )

describe("the telephony webhook", () => {
  scenario("connects a call to a stream on the engine, with the call's id and token", async (world) => {
    const { status, type, text } = await post(world, path)
    assert.strictEqual(status, 200)
    assert.match(type ?? "", /^text\/xml/)
    const [call] = world.memory.calls
    assert.strictEqual(
      text,
      `<?xml version="1.0" encoding="UTF-8"?><Response><Connect action="${publicBaseUrl}${path}/continue" method="POST">` +
        `<Stream url="wss://engine.example.test/media"><Parameter name="callId" value="${call.id}"/>` +
        `<Parameter name="token" value="token of ${call.id}"/></Stream></Connect></Response>`
    )
    assert.deepInclude(call, { status: "ringing", direction: "inbound", from: incoming.From, to: incoming.To })
    assert.deepInclude(world.engine.setups[0], {
      authToken: account.authToken,
      callSid: incoming.CallSid,
      contactName: "Asha"
    })
  })

  scenario("finds the agent of a number called through a SIP domain", async (world) => {
    const { text } = await post(world, path, { ...incoming, To: "sip:+14155550123@k-acme.sip.example.test" })
    assert.match(text, /<Stream /)
    assert.strictEqual(world.memory.calls[0].to, "+14155550123")
  })

  scenario("sends the agent to an engine that has lost it", async (world) => {
    world.engine.configs.clear()
    assert.match((await post(world, path)).text, /<Stream /)
    assert.strictEqual(world.engine.puts, 2)
  })

  scenario("is answered in another voice while premium voices are switched off", async (world) => {
    const { memory, engine } = world
    const [[id, stored]] = [...memory.agents]
    memory.agents.set(id, { ...stored, voiceFamily: "premium", voiceId: "21m00Tcm4TlvDq8ikWAM" })
    assert.match((await post(world, path)).text, /<Stream /)
    assert.strictEqual(engine.configs.get(id)?.voice.family, "indic")
    const { body } = await world.call("GET", `/api/voice-agents/${id}`)
    assert.deepInclude(body, { voiceFamily: "premium", voiceId: "21m00Tcm4TlvDq8ikWAM" })
    assert.match(JSON.stringify(body.overrides), /"premium_voice".*voicePremium/)
    memory.organizations.set("org_1", organization({ flags: { voiceAgents: true, voicePremium: true } }))
    assert.match((await post(world, path, { ...incoming, CallSid: "CA2" })).text, /<Stream /)
    assert.strictEqual(engine.configs.get(id)?.voice.family, "premium")
  })

  scenario("treats a repeated webhook as the same call", async (world) => {
    await post(world, path)
    await post(world, path)
    assert.strictEqual(world.memory.calls.length, 1)
    assert.strictEqual(world.engine.setups[0].callId, world.engine.setups[1].callId)
  })

  scenario("signals busy when the engine is full, and records the call", async (world) => {
    world.engine.full = true
    assert.include((await post(world, path)).text, '<Reject reason="busy"/>')
    assert.deepInclude(world.memory.calls[0], { status: "busy", endReason: "capacity" })
    assert.include((await post(world, path)).text, "<Response><Hangup/></Response>")
  })

  scenario(
    "answers when the provider lost the first webhook's answer, and ends a call whose later instructions were lost",
    async (world) => {
      const repeated = { ...incoming, ErrorCode: "11200", ErrorUrl: `${publicBaseUrl}${path}` }
      assert.include((await post(world, path, repeated)).text, "<Connect")
      for (const lost of ["/continue", "/../message/ended?call=call_1", "/../transfer/ended?transfer=trf_1"]) {
        const ErrorUrl = new URL(`${publicBaseUrl}${path}${lost}`).href
        const { status, text } = await post(world, path, { ...incoming, ErrorCode: "11200", ErrorUrl })
        assert.strictEqual(status, 200)
        assert.include(text, "<Response><Hangup/></Response>")
      }
      assert.strictEqual(world.memory.calls.length, 1)
    }
  )

  scenario("plays a sentence and hangs up when nobody can answer, and records why", async (world) => {
    const unassigned = await post(world, path, { ...incoming, To: "+14155550199", CallSid: "CA1" })
    assert.match(unassigned.text, /<Say>.*not in service.*<\/Say><Hangup\/>/)
    world.memory.organizations.set("org_1", organization({ flags: { voiceAgents: false, voicePremium: false } }))
    assert.match((await post(world, path, { ...incoming, CallSid: "CA2" })).text, /<Say>.*<\/Say><Hangup\/>/)
    world.memory.organizations.set("org_1", organization())
    world.engine.configs.clear()
    world.engine.rejects = "no speech"
    assert.match((await post(world, path, { ...incoming, CallSid: "CA3" })).text, /<Say>.*try again.*<\/Say><Hangup\/>/)
    assert.deepStrictEqual(
      world.memory.calls.map(({ status, endReason }) => [status, endReason]),
      [
        ["failed", "error"],
        ["failed", "error"],
        ["failed", "error"]
      ]
    )
  })

  scenario(
    "refuses unsigned requests, and gives an unknown account the same answer as a wrong signature",
    async (world) => {
      const wrong = await post(world, path, incoming, "another token")
      const unknown = await post(world, path, { ...incoming, AccountSid: "AC_unknown" })
      const dummy = await post(world, path, { ...incoming, AccountSid: "AC_unknown" }, "0".repeat(32))
      assert.strictEqual(wrong.status, 403)
      assert.deepStrictEqual(unknown, wrong)
      assert.deepStrictEqual(dummy, wrong)
      const unsigned = await fetch(world.base + path, { method: "POST", body: new URLSearchParams(incoming) })
      assert.strictEqual(unsigned.status, 403)
      assert.strictEqual(world.memory.calls.length, 0)
    }
  )

  scenario("does not trust the Host header", async (world) => {
    const signature = twilio.getExpectedTwilioSignature(account.authToken, world.base + path, incoming)
    const response = await fetch(world.base + path, {
      method: "POST",
      headers: { "x-twilio-signature": signature },
      body: new URLSearchParams(incoming)
    })
    assert.strictEqual(response.status, 403)
  })

  scenario("includes the query of its address in the signature", async (world) => {
    assert.strictEqual((await post(world, `${path}?src=pstn`)).status, 200)
  })

  scenario("hangs up when the stream has ended", async (world) => {
    const { status, text } = await post(world, `${path}/continue`)
    assert.strictEqual(status, 200)
    assert.include(text, "<Response><Hangup/></Response>")
    assert.strictEqual((await post(world, `${path}/continue`, incoming, "wrong")).status, 403)
  })
})
