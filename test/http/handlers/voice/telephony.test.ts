import { connect as connectTo } from "node:net"
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

/** The accounts that are searched for from now on. */
const searchesOf = ({ memory: { connections } }: World): ReadonlyArray<string> => {
  const searches: Array<string> = []
  const get = connections.get.bind(connections)
  connections.get = (accountSid) => {
    searches.push(accountSid)
    return get(accountSid)
  }
  return searches
}

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

  scenario("reads a form of 100 fields, and refuses a larger one before anything is searched for", async (world) => {
    const searches = searchesOf(world)
    const fields = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`Field${n}`, String(n)]))
    const more = 100 - Object.keys(incoming).length
    assert.strictEqual((await post(world, path, { ...incoming, ...fields(more) })).status, 200)
    const searched = searches.length
    const many = await post(world, path, { ...incoming, ...fields(more + 1) })
    assert.deepStrictEqual([many.status, JSON.parse(many.text)], [400, { error: "The form has more than 100 fields." }])
    const long = await post(world, path, { ...incoming, Long: "x".repeat(70_000) })
    assert.deepStrictEqual(
      [long.status, JSON.parse(long.text)],
      [400, { error: "The request body is larger than 65536 bytes." }]
    )
    assert.strictEqual(searches.length, searched)
  })

  scenario("refuses a request without a signature before its body has come", async (world) => {
    const { hostname, port } = new URL(world.direct)
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n`
    const socket = connectTo(Number(port), hostname, () => socket.write(`${head}Content-Length: 50000\r\n\r\n`))
    const heard = await new Promise<string>((resolve) => socket.once("data", (part) => resolve(String(part))))
    assert.match(heard, /^HTTP\/1\.1 403 /)
    socket.destroy()
  })

  scenario(
    "stops looking at an address that only sends wrong signatures, and says when it may come again",
    async (world) => {
      const searches = searchesOf(world)
      const wrong = async () => (await post(world, path, incoming, "another token")).status
      const statuses: Array<number> = []
      for (let n = 0; n < 40; n++) statuses.push(await wrong())
      assert.deepStrictEqual(statuses.slice(0, 20), Array(20).fill(403))
      // One more is looked at each second.
      assert.isAtLeast(statuses.filter((status) => status === 429).length, 10)
      assert.isAtMost(searches.length, 30)
      const again = await fetch(world.base + path, { method: "POST", body: new URLSearchParams(incoming) })
      if (again.status === 429) assert.match(again.headers.get("retry-after") ?? "", /^[12]$/)
    }
  )

  scenario("still takes the provider's requests from an address that an attacker uses too", async (world) => {
    assert.strictEqual((await post(world, path)).status, 200)
    const searches = searchesOf(world)
    const unknown = { ...incoming, AccountSid: "AC_unknown" }
    for (let n = 0; n < 40; n++) assert.strictEqual((await post(world, path, unknown, "another token")).status, 403)
    // One more is looked at each second.
    assert.isAtMost(searches.length, 35)
    assert.strictEqual((await post(world, path)).status, 200)
  })

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
