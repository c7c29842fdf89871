import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { organization } from "../../memory.ts"
import { connect, hooks, incoming, post, receptionist } from "../../telephone.ts"
import { makeWorld, publicBaseUrl, type World } from "../../world.ts"

const recordingSid = `RE${"1".repeat(32)}`

const agent = { ...receptionist, voicemail: { message: "We are closed. Say what you need." } }
const closed = organization({ businessHours: { weekly: [], holidays: [] } })

const scenario = (name: string, run: (world: World, agentId: string) => Promise<void>, settings: object = agent) =>
  it.live(name, () =>
    Effect.flatMap(makeWorld(), (world) =>
      Effect.promise(async () => {
        const agentId = await connect(world, settings)
        world.memory.organizations.set("org_1", closed)
        await run(world, agentId)
      })
    )
  )

const played = (text: string) => [...text.matchAll(/<Play>([^<]+)<\/Play>/g)].map(([, url]) => url)

/** The words that the caller hears: in these tests the audio is the text itself. */
const heard = async (world: World, url: string) => {
  const response = await fetch(url.replace(publicBaseUrl, world.base))
  assert.strictEqual(response.headers.get("content-type"), "audio/wav")
  const wav = Buffer.from(await response.arrayBuffer())
  assert.strictEqual(wav.readUInt16LE(20), 7, "mu-law")
  return wav.subarray(58, 58 + wav.readUInt32LE(54)).toString()
}

describe("a call outside business hours", () => {
  scenario("hears the disclosure and then the agent's message in the agent's voice, and is recorded", async (world) => {
    const { status, text } = await post(world, `${hooks}/voice`)
    assert.strictEqual(status, 200)
    const lines = await Promise.all(played(text).map((url) => heard(world, url)))
    assert.deepStrictEqual(lines, ["You may be speaking with an AI.", "We are closed. Say what you need."])
    const [call] = world.memory.calls
    assert.deepInclude(call, { status: "completed", endReason: "outside_hours", direction: "inbound" })
    assert.strictEqual(
      text.slice(text.indexOf("<Record")),
      `<Record action="${publicBaseUrl}${hooks}/message/ended?call=${call.id}" method="POST" maxLength="120" timeout="5" ` +
        `finishOnKey="#" playBeep="true" recordingStatusCallback="${publicBaseUrl}${hooks}/message/recorded?call=${call.id}" ` +
        'recordingStatusCallbackMethod="POST" recordingStatusCallbackEvent="completed absent"/><Hangup/></Response>'
    )
    assert.strictEqual(world.engine.setups.length, 0)
  })

  scenario("hears another voice while premium voices are switched off", async (world, agentId) => {
    const stored = world.memory.agents.get(agentId)
    if (stored !== undefined)
      world.memory.agents.set(agentId, { ...stored, voiceFamily: "premium", voiceId: "21m00Tcm4TlvDq8ikWAM" })
    const heardBy = async (voicePremium: boolean, CallSid: string) => {
      world.memory.organizations.set("org_1", { ...closed, flags: { voiceAgents: true, voicePremium } })
      return played((await post(world, `${hooks}/voice`, { ...incoming, CallSid })).text)
    }
    // The key of the audio contains text and voice.
    const [on, off] = [await heardBy(true, "CA1"), await heardBy(false, "CA2")]
    assert.strictEqual(on.length, 2)
    for (const url of off) assert.notInclude(on, url)
  })

  scenario("gets the same answer when the webhook is repeated, even after business hours have begun", async (world) => {
    const first = await post(world, `${hooks}/voice`)
    world.memory.organizations.set("org_1", organization())
    assert.deepStrictEqual(await post(world, `${hooks}/voice`), first)
    assert.strictEqual(world.memory.calls.length, 1)
  })

  scenario("hears the provider's voice when the agent's voice is unavailable", async (world) => {
    world.voice.silent = true
    const { text } = await post(world, `${hooks}/voice`)
    assert.include(
      text,
      '<Say language="hi-IN">You may be speaking with an AI.</Say><Say language="hi-IN">We are closed. Say what you need.</Say><Record'
    )
  })

  scenario(
    "hears a standard sentence in the agent's language when the agent has no message",
    async (world) => {
      const { text } = await post(world, `${hooks}/voice`)
      assert.include(await heard(world, played(text)[1]), "कृपया टोन के बाद")
    },
    { ...agent, voicemail: { maxSeconds: 30 } }
  )

  scenario("leaves one voicemail, whichever webhooks report it, in whatever order and however often", async (world) => {
    await post(world, `${hooks}/voice`)
    const [call] = world.memory.calls
    const recorded = { ...incoming, RecordingSid: recordingSid, RecordingStatus: "completed" }
    const silent = { ...recorded, RecordingSid: `RE${"2".repeat(32)}`, RecordingStatus: "absent" }
    assert.strictEqual((await post(world, `${hooks}/message/recorded?call=${call.id}`, silent)).status, 200)
    for (const name of ["recorded", "ended", "ended", "recorded"]) {
      const { status, text } = await post(world, `${hooks}/message/${name}?call=${call.id}`, recorded)
      assert.strictEqual(status, 200)
      assert.include(text, "<Response><Hangup/></Response>")
    }
    assert.deepStrictEqual(world.memory.voicemails, [
      {
        organizationId: "org_1",
        callId: call.id,
        callSid: incoming.CallSid,
        accountSid: incoming.AccountSid,
        recordingSid
      }
    ])
  })

  scenario("cannot be given another call's voicemail", async (world) => {
    await post(world, `${hooks}/voice`)
    const [call] = world.memory.calls
    const ended = `${hooks}/message/ended?call=${call.id}`
    const recorded = { ...incoming, RecordingSid: recordingSid }
    assert.strictEqual((await post(world, ended, recorded, "another token")).status, 403)
    assert.strictEqual((await post(world, ended, { ...recorded, CallSid: "CA9" })).status, 404)
    assert.strictEqual((await post(world, `${hooks}/message/ended?call=call_x`, recorded)).status, 404)
    assert.strictEqual((await post(world, ended, { ...recorded, RecordingSid: "../../Accounts" })).status, 400)
    assert.strictEqual((await post(world, ended)).status, 200, "a caller who said nothing")
    assert.deepStrictEqual(world.memory.voicemails, [])
  })

  scenario("serves its speech only under the complete key", async (world) => {
    for (const file of ["", "..", `${"0".repeat(64)}.wav`, `${"0".repeat(64)}`])
      assert.strictEqual((await fetch(`${world.base}${hooks}/speech/${file}`)).status, 404)
  })

  scenario("becomes a call to the agent as usual once the organization is open", async (world) => {
    world.memory.organizations.set("org_1", organization())
    assert.include((await post(world, `${hooks}/voice`)).text, "<Connect")
  })

  scenario("plays an agent's message that can be changed and is validated", async (world, agentId) => {
    const path = `/api/voice-agents/${agentId}`
    const changed = await world.call("PUT", path, { voicemail: { maxSeconds: 60 } })
    assert.deepStrictEqual(changed.body.voicemail, { message: agent.voicemail.message, maxSeconds: 60 })
    for (const voicemail of [{ message: " " }, { maxSeconds: 1_000 }])
      assert.match(String((await world.call("PUT", path, { voicemail })).body.error), /^voicemail/)
  })
})
