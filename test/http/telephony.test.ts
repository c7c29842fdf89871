import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import twilio from "twilio"
import { organization } from "./memory.ts"
import { makeWorld, publicBaseUrl, type World } from "./world.ts"

const authToken = "12345abcde67890fghij12345abcde67"
const path = "/api/webhooks/telephony/voice"
const form = {
  AccountSid: "AC0123456789abcdef0123456789abcdef",
  CallSid: "CA0123456789abcdef0123456789abcdef",
  CallStatus: "ringing",
  From: "+919812345678",
  To: "+14155550123"
}

/** Signed as the provider's own library does. */
const post = async (world: World, fields: Record<string, string> = form, token = authToken, at = path) => {
  const signature = twilio.getExpectedTwilioSignature(token, publicBaseUrl + at, fields)
  const response = await fetch(world.base + at, {
    method: "POST",
    headers: { "x-twilio-signature": signature },
    body: new URLSearchParams(fields)
  })
  return { status: response.status, type: response.headers.get("content-type"), text: await response.text() }
}

const agent = {
  name: "Reception",
  welcomeMessage: "Welcome.",
  voiceFamily: "indic",
  voiceId: "anushka",
  primaryLanguage: "hi-IN",
  systemPrompt: "Help."
}

const scenario = (name: string, run: (world: World) => Promise<void>) =>
  it.live(name, () =>
    Effect.flatMap(makeWorld(), (world) =>
      Effect.promise(async () => {
        world.memory.connections.set(form.AccountSid, {
          organizationId: "org_1",
          accountSid: form.AccountSid,
          authToken
        })
        const { body } = await world.call("POST", "/api/voice-agents", agent)
        world.memory.numbers.set("org_1/+14155550123", String(body.id))
        await run(world)
      })
    )
  )

describe("the telephony webhook", () => {
  scenario("connects a call to a stream on the engine, with its id and token", async (world) => {
    const { status, type, text } = await post(world)
    assert.strictEqual(status, 200)
    assert.match(type ?? "", /^text\/xml/)
    const [call] = world.memory.calls
    assert.strictEqual(
      text,
      `<?xml version="1.0" encoding="UTF-8"?><Response><Connect action="${publicBaseUrl}${path}/continue" method="POST">` +
        `<Stream url="wss://engine.example.test/media"><Parameter name="callId" value="${call.id}"/>` +
        `<Parameter name="token" value="token of ${call.id}"/></Stream></Connect></Response>`
    )
    assert.deepInclude(call, { status: "ringing", direction: "inbound", from: form.From, to: form.To })
    assert.deepInclude(world.engine.setups[0], { authToken, callSid: form.CallSid, contactName: "Asha" })
  })

  scenario("finds the agent of a number called through a SIP domain", async (world) => {
    const { text } = await post(world, { ...form, To: "sip:+14155550123@k-acme.sip.example.test" })
    assert.match(text, /<Stream /)
    assert.strictEqual(world.memory.calls[0].to, "+14155550123")
  })

  scenario("brings the agent to an engine that has forgotten it", async (world) => {
    world.engine.configs.clear()
    assert.match((await post(world)).text, /<Stream /)
    assert.strictEqual(world.engine.puts, 2)
  })

  scenario("takes a repeated webhook for the same call", async (world) => {
    await post(world)
    await post(world)
    assert.strictEqual(world.memory.calls.length, 1)
    assert.strictEqual(world.engine.setups[0].callId, world.engine.setups[1].callId)
  })

  scenario("signals busy when the engine is full, and records it", async (world) => {
    world.engine.full = true
    assert.include((await post(world)).text, '<Reject reason="busy"/>')
    assert.deepInclude(world.memory.calls[0], { status: "busy", endReason: "capacity" })
    assert.include((await post(world)).text, "<Response><Hangup/></Response>")
  })

  scenario("says a sentence and hangs up when nobody can answer, and records why", async (world) => {
    const unassigned = await post(world, { ...form, To: "+14155550199", CallSid: "CA1" })
    assert.match(unassigned.text, /<Say>.*not in service.*<\/Say><Hangup\/>/)
    world.memory.organizations.set("org_1", organization({ flags: { voiceAgents: false, voicePremium: false } }))
    assert.match((await post(world, { ...form, CallSid: "CA2" })).text, /<Say>.*<\/Say><Hangup\/>/)
    world.memory.organizations.set("org_1", organization())
    world.engine.configs.clear()
    world.engine.rejects = "no speech"
    assert.match((await post(world, { ...form, CallSid: "CA3" })).text, /<Say>.*try again.*<\/Say><Hangup\/>/)
    assert.deepStrictEqual(
      world.memory.calls.map(({ status, endReason }) => [status, endReason]),
      [
        ["failed", "error"],
        ["failed", "error"],
        ["failed", "error"]
      ]
    )
  })

  scenario("refuses strangers, and an unknown account looks exactly like a wrong signature", async (world) => {
    const wrong = await post(world, form, "another token")
    const unknown = await post(world, { ...form, AccountSid: "AC_unknown" })
    const dummy = await post(world, { ...form, AccountSid: "AC_unknown" }, "0".repeat(32))
    assert.strictEqual(wrong.status, 403)
    assert.deepStrictEqual(unknown, wrong)
    assert.deepStrictEqual(dummy, wrong)
    const unsigned = await fetch(world.base + path, { method: "POST", body: new URLSearchParams(form) })
    assert.strictEqual(unsigned.status, 403)
    assert.strictEqual(world.memory.calls.length, 0)
  })

  scenario("does not believe the Host header", async (world) => {
    const signature = twilio.getExpectedTwilioSignature(authToken, world.base + path, form)
    const response = await fetch(world.base + path, {
      method: "POST",
      headers: { "x-twilio-signature": signature },
      body: new URLSearchParams(form)
    })
    assert.strictEqual(response.status, 403)
  })

  scenario("signs over the query of its address too", async (world) => {
    assert.strictEqual((await post(world, form, authToken, `${path}?src=pstn`)).status, 200)
  })

  scenario("hangs up when the stream has ended", async (world) => {
    const { status, text } = await post(world, form, authToken, `${path}/continue`)
    assert.strictEqual(status, 200)
    assert.include(text, "<Response><Hangup/></Response>")
    assert.strictEqual((await post(world, form, "wrong", `${path}/continue`)).status, 403)
  })
})
