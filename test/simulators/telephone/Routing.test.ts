import { afterEach, assert, describe, it } from "vitest"
import type { CallerScript } from "../../../simulators/telephone/Caller.ts"
import { accountSid, authToken, connect, numbers, type Post, streamUrl, type World, world } from "./support.ts"

let here: World
afterEach(() => here.close())

const silentCaller: CallerScript = (caller) => caller.sleep(60_000)
const isVoice = (post: Post) => post.path.startsWith("/api/webhooks/telephony/voice")
const dialHuman = '<Response><Dial callerId="+14155550123"><Number>+14155559999</Number></Dial></Response>'

const update = (callSid: string, fields: Record<string, string>, token = authToken, account = accountSid) =>
  fetch(`${here.network.url}/2010-04-01/Accounts/${account}/Calls/${callSid}.json`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${account}:${token}`)}` },
    body: new URLSearchParams(fields)
  })

describe("where a call goes", () => {
  it("is redirected by REST: the stream gets its stop, and the new document is obeyed", async () => {
    here = await world(
      () => connect('action="https://app.example.test/ended"'),
      async (stream) => {
        const { start } = await stream.next("start")
        assert.strictEqual((await update(start.callSid, { Twiml: dialHuman })).status, 200)
      }
    )
    const result = await here.network.call({ ...numbers, caller: silentCaller })
    await here.streams[0].next("stop")
    assert.deepInclude(result.dialed, { to: "+14155559999", callerId: "+14155550123", status: "completed" })
    assert.deepStrictEqual(result.documents.slice(1), [dialHuman])
    assert.strictEqual(result.endedBy, "twiml")
    assert.lengthOf(here.posts, 1, "the action of a verb that was left is not called")
  })

  it("is ended by REST, and cannot be ended twice", async () => {
    here = await world(
      () => connect(),
      async (stream) => void update((await stream.next("start")).start.callSid, { Status: "completed" })
    )
    const result = await here.network.call({ ...numbers, caller: silentCaller })
    assert.strictEqual(result.endedBy, "rest")
    await here.streams[0].next("stop")
    const again = await update(result.callSid, { Status: "completed" })
    assert.deepInclude(await again.json(), { code: 21220, status: 400 })
  })

  it("ignores updates with a wrong token, a foreign account, an unknown call or nothing to do", async () => {
    const codes: Array<unknown> = []
    here = await world(
      () => connect(),
      async (stream) => {
        const { callSid } = (await stream.next("start")).start
        for (const answer of [
          await update(callSid, { Status: "completed" }, "wrong"),
          await update(callSid, { Status: "completed" }, authToken, "ACffffffffffffffffffffffffffffffff"),
          await update(`CA${"0".repeat(32)}`, { Status: "completed" }),
          await update(callSid, {})
        ]) {
          codes.push(((await answer.json()) as { code: number }).code)
        }
        stream.socket.close()
      }
    )
    await here.network.call({ ...numbers, caller: silentCaller })
    assert.deepStrictEqual(codes, [20003, 20003, 20404, 20001])
  })

  it("goes on as the action says when the engine closes the stream or the socket breaks", async () => {
    here = await world(
      (post) =>
        isVoice(post)
          ? connect('action="/continue"')
          : "<Response><Say>One moment.</Say><Enqueue>humans</Enqueue></Response>",
      undefined,
      { queueWaitMs: 300 }
    )
    const result = await here.network.call({
      ...numbers,
      caller: async (caller) => {
        await caller.sleep(60)
        caller.dropSocket()
        await caller.sleep(60_000)
      }
    })
    assert.strictEqual(here.posts[1].path, "/continue")
    assert.isEmpty(here.streams[0].of("stop"))
    assert.deepInclude(result, { endedBy: "queue", spoken: ["One moment."] })
    assert.deepInclude(result.enqueued, { queue: "humans", result: "hangup" })
  })

  it("is rejected with a busy signal and never plays audio to the caller", async () => {
    here = await world(() => '<Response><Reject reason="busy"/></Response>')
    const result = await here.network.call({ ...numbers, caller: silentCaller })
    assert.deepInclude(result, { endedBy: "reject", rejected: "busy", durationMs: 0 })
  })

  it("plays a sentence to the caller and hangs up", async () => {
    here = await world(() => "<Response><Say>We are closed.</Say><Hangup/></Response>")
    const result = await here.network.call({ ...numbers, caller: silentCaller })
    assert.deepInclude(result, { endedBy: "twiml", spoken: ["We are closed."] })
  })

  it("fails when the app refuses, when the document is broken, and when the stream is refused", async () => {
    here = await world(() => undefined)
    const refused = await here.network.call({ ...numbers, caller: silentCaller })
    assert.deepInclude(refused, { webhookStatus: 403, endedBy: "error" })
    await here.close()
    here = await world(() => "<Response><Connect>")
    const broken = await here.network.call({ ...numbers, caller: silentCaller })
    assert.strictEqual(broken.endedBy, "error")
    assert.match(broken.warnings[0], /^12100/)
    await here.close()
    here = await world(() => connect().replace("engine.example.test", "127.0.0.1:9"))
    const unreachable = await here.network.call({ ...numbers, caller: silentCaller })
    assert.strictEqual(unreachable.endedBy, "error")
    assert.match(unreachable.warnings[0], /^31920/)
  })

  it("ends at its time limit", async () => {
    here = await world(() => connect())
    const result = await here.network.call({ ...numbers, caller: silentCaller, maxMs: 200 })
    assert.strictEqual(result.endedBy, "limit")
  })

  it("can be tampered with: forged webhooks and raw sockets", async () => {
    here = await world(() => "<Response/>")
    assert.strictEqual((await here.network.webhook({ To: "sip:+14155550123@k-acme.sip.twilio.com" })).status, 200)
    await here.network.webhook({}, { signature: "forged" })
    await here.network.webhook({}, { signature: null })
    assert.deepStrictEqual(here.posts.map(({ signature }) => signature).slice(1), ["forged", undefined])
    const raw = await here.network.openRaw(streamUrl)
    assert.strictEqual(raw.status, 101)
    raw.send('{"event":"connected"}')
    raw.send(Buffer.from([0, 1]))
    assert.strictEqual((await raw.closed).code, 1003)
    assert.strictEqual((await here.network.openRaw("ws://127.0.0.1:9/")).status, 0)
    const wrongPath = await here.network.openRaw(here.network.url.replace("http", "ws"))
    assert.strictEqual(wrongPath.status, 404)
  })
})
