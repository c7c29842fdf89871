import { afterEach, assert, describe, it } from "vitest"
import { accountSid, authToken, connect, numbers, type Post, type Stream, tone, type World, world } from "./support.ts"

let here: World
afterEach(() => here.close())

const dial = '<Response><Dial action="/dialed" timeout="20"><Number>+14155559999</Number></Dial></Response>'
const queue = '<Response><Enqueue waitUrl="/wait" action="/left">humans</Enqueue></Response>'
const isVoice = (post: Post) => post.path.startsWith("/api/webhooks/telephony/voice")
const at = (path: string) => here.posts.filter((post) => post.path === path)

const redirect = (callSid: string, twiml: string) =>
  fetch(`${here.network.url}/2010-04-01/Accounts/${accountSid}/Calls/${callSid}.json`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${accountSid}:${authToken}`)}` },
    body: new URLSearchParams({ Twiml: twiml })
  })

/** An engine that greets, and hands the first stream of a call to a human. */
const engine = (twiml: string) => {
  let streams = 0
  return async (stream: Stream) => {
    const first = ++streams === 1
    const { start } = await stream.next("start")
    stream.media(new Uint8Array(1_600).fill(0x10))
    if (first) await redirect(start.callSid, twiml)
  }
}

describe("a call on its way to a human", () => {
  it("comes back on a second stream when the line is busy, and the caller goes on", async () => {
    here = await world((post) => (isVoice(post) || post.path === "/dialed" ? connect() : undefined), engine(dial))
    const result = await here.network.call({
      ...numbers,
      humans: [{ status: "busy", ms: 60 }],
      caller: async (caller) => {
        while (here.streams.length < 2) await caller.sleep(20)
        await caller.waitForAgentToSpeak(5_000)
        await caller.say(tone(100))
        caller.hangUp()
      }
    })
    assert.deepInclude(result.dialed, { status: "busy", to: "+14155559999" })
    assert.deepInclude(at("/dialed")[0].form, { DialCallStatus: "busy", CallStatus: "in-progress" })
    assert.isNotEmpty(here.streams[1].of("media"))
    assert.deepInclude(result, { endedBy: "caller", warnings: [] })
  })

  it("meets humans as planned, one after the other, and as the network says from then on", async () => {
    const statuses = () => at("/dialed").map(({ form }) => form.DialCallStatus)
    const tries = 3
    here = await world((post) => (isVoice(post) || statuses().length < tries ? dial : "<Response><Hangup/></Response>"))
    const humans = [
      { status: "no-answer", ms: 10 },
      { status: "failed", ms: 0 },
      { status: "completed", ms: 30 }
    ] as const
    const caller = () => Promise.resolve()
    const planned = await here.network.call({ ...numbers, humans, caller })
    assert.deepStrictEqual(statuses(), ["no-answer", "failed", "completed"])
    assert.lengthOf(planned.dials, 3)
    Object.assign(here.network.human, { status: "busy", ms: 10 })
    const other = await here.network.call({ ...numbers, caller })
    assert.deepStrictEqual(
      other.dials.map(({ status }) => status),
      ["busy"]
    )
  })

  it("whose caller hangs up tells the action: canceled while it rings, completed while they talk", async () => {
    here = await world(() => dial)
    for (const status of ["no-answer", "completed"] as const)
      await here.network.call({
        ...numbers,
        humans: [{ status, ms: 10_000 }],
        caller: async (caller) => {
          await caller.sleep(100)
          caller.hangUp()
        }
      })
    assert.deepStrictEqual(
      at("/dialed").map(({ form }) => [form.DialCallStatus, form.CallStatus]),
      [
        ["canceled", "completed"],
        ["completed", "completed"]
      ]
    )
  })

  it("announces the place in line repeatedly until REST takes it out of the line", async () => {
    const said = (post: Post) => `Number ${post.form.QueuePosition} of ${post.form.CurrentQueueSize}.`
    here = await world((post) => {
      if (post.path === "/wait")
        return `<Response><Say>${said(post)}</Say><Pause length="0"/><Redirect>/wait</Redirect><Dial/></Response>`
      return isVoice(post) ? queue : "<Response/>"
    })
    const waiting = here.network.call({ ...numbers, caller: (caller) => caller.sleep(60_000) })
    const second = here.network.call({
      ...numbers,
      caller: async (caller) => {
        while (at("/wait").filter(({ form }) => form.CallSid === caller.callSid).length < 2) await caller.sleep(20)
        assert.strictEqual((await redirect(caller.callSid, dial)).status, 200)
      }
    })
    const taken = await second
    assert.isAtLeast(taken.enqueued?.heard.length ?? 0, 2)
    assert.match(taken.enqueued?.heard[0] ?? "", /^Number [12] of [12]\.$/)
    assert.deepInclude(taken.enqueued, { queue: "humans", result: "redirected" })
    assert.strictEqual(taken.dialed?.status, "completed")
    const left = at("/left")[0].form
    assert.deepInclude(left, { QueueResult: "redirected", CallStatus: "in-progress", CallSid: taken.callSid })
    assert.match(left.QueueSid, /^QU[0-9a-f]{32}$/)
    assert.deepStrictEqual(taken.warnings, [])
    await here.network.close()
    assert.deepInclude((await waiting).enqueued, { result: "hangup" })
  })

  it("leaves the line when its document says so, and obeys the action", async () => {
    here = await world((post) => {
      if (post.path === "/wait") return post.form.QueueTime === "0" ? "<Response><Leave/></Response>" : undefined
      return isVoice(post) ? queue : "<Response><Say>Sorry.</Say><Hangup/></Response>"
    })
    const result = await here.network.call({ ...numbers, caller: () => Promise.resolve() })
    assert.deepInclude(at("/left")[0].form, { QueueResult: "leave", QueueTime: "0" })
    assert.deepInclude(result, { endedBy: "twiml", spoken: ["Sorry."] })
  })

  it("is given up in the line by a hang-up, and a verb that may not stand there is a warning", async () => {
    here = await world((post) => (post.path === "/wait" ? dial : queue))
    const result = await here.network.call({
      ...numbers,
      caller: async (caller) => {
        await caller.sleep(100)
        caller.hangUp()
      }
    })
    assert.deepInclude(at("/left")[0].form, { QueueResult: "hangup", CallStatus: "completed" })
    assert.strictEqual(result.endedBy, "caller")
    assert.match(result.warnings[0], /^12200: <Dial>/)
  })
})
