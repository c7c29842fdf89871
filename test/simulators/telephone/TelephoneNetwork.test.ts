import twilio from "twilio"
import { afterEach, assert, describe, it } from "vitest"
import type { CallerScript } from "../../../simulators/telephone/Caller.ts"
import { decode, encode } from "../../../simulators/telephone/Mulaw.ts"
import { verifyHeard } from "../../../simulators/telephone/VerifyHeard.ts"
import { playsInRealTime } from "../../support/Slowness.ts"
import {
  accountSid,
  authToken,
  connect,
  numbers,
  type Stream,
  streamUrl,
  tone,
  type World,
  webhookUrl,
  world
} from "./support.ts"

playsInRealTime()

let here: World
afterEach(() => here.close())

const inbound = (stream: Stream) =>
  new Uint8Array(Buffer.concat(stream.of("media").map(({ media }) => Buffer.from(media.payload, "base64"))))

const speak = (stream: Stream, mulaw: Uint8Array) => {
  for (let at = 0; at < mulaw.length; at += 160) stream.media(mulaw.subarray(at, at + 160))
}

const silentCaller: CallerScript = (caller) => caller.sleep(60_000)

describe("a call", () => {
  it("rings with a webhook that the provider's own library accepts, and opens the stream with a signed URL", async () => {
    here = await world(
      () => connect(),
      (stream) => stream.socket.close()
    )
    const result = await here.network.call({ ...numbers, caller: silentCaller })
    const { signature, form } = here.posts[0]
    assert.isTrue(twilio.validateRequest(authToken, signature!, webhookUrl, form))
    assert.deepInclude(form, { AccountSid: accountSid, From: numbers.from, To: numbers.to, Direction: "inbound" })
    const [stream] = here.streams
    const upgrade = stream.request.headers["x-twilio-signature"] as string
    assert.isTrue(twilio.validateRequest(authToken, upgrade, streamUrl, {}))
    assert.deepStrictEqual(stream.messages[1].start.customParameters, { token: "t & 1" })
    assert.strictEqual(stream.messages[1].start.callSid, result.callSid)
    assert.deepInclude(result, { webhookStatus: 200, twiml: connect(), endedBy: "stream", warnings: [] })
  })

  it("sends connected, start, then 160 bytes every 20 ms of real time, silence included, and stop", async () => {
    here = await world(() => connect())
    const speech = tone(300)
    await here.network.call({
      ...numbers,
      caller: async (caller) => {
        await caller.sleep(200)
        await caller.say(speech)
        await caller.press("4")
        await caller.sleep(400)
        caller.hangUp()
      }
    })
    const [stream] = here.streams
    await stream.next("stop")
    assert.deepStrictEqual(
      stream.messages.slice(0, 3).map(({ event }) => event),
      ["connected", "start", "media"]
    )
    const media = stream.of("media")
    assert.approximately(media.length, 50, 2)
    assert.deepStrictEqual(
      media.map(({ media }) => [Number(media.chunk), Number(media.timestamp)]),
      media.map((_, i) => [i + 1, (i + 1) * 20])
    )
    assert.deepStrictEqual(
      stream.messages.slice(1).map(({ sequenceNumber }) => Number(sequenceNumber)),
      stream.messages.slice(1).map((_, i) => i + 1)
    )
    const audio = inbound(stream)
    const from = audio.findIndex((byte, i) => byte !== 0xff && i > 0)
    assert.isTrue(audio.subarray(0, 1_600).every((byte) => byte === 0xff))
    const mulaw = encode(speech)
    assert.deepStrictEqual(audio.slice(from, from + 1_000), mulaw.slice(1, 1_001))
    assert.strictEqual(stream.of("dtmf")[0].dtmf.digit, "4")
    const span = stream.atMs.at(-1)! - stream.atMs[2]
    assert.approximately(span, media.length * 20, 60)
  })

  it("plays what the engine sends, echoes marks when they were heard, and records both sides in time", async () => {
    const answer = encode(tone(400, 523))
    let markAfterMs = 0
    here = await world(
      () => connect(),
      async (stream) => {
        const began = performance.now()
        speak(stream, answer)
        stream.send("mark", { mark: { name: "said" } })
        await stream.next("mark", "said")
        markAfterMs = performance.now() - began
      }
    )
    const result = await here.network.call({
      ...numbers,
      caller: async (caller) => {
        await caller.waitForAgentToFinish(300)
        await caller.say(tone(100))
        caller.hangUp()
      }
    })
    assert.approximately(markAfterMs, 410, 60)
    assert.deepStrictEqual(result.frames, { sent: 20, wrongSize: 0, late: 0, gaps: 0 })
    assert.strictEqual(result.heard.length, result.said.length)
    const report = verifyHeard(result.heard, [{ text: "answer", mulaw: answer }])
    assert.isTrue(report.ok)
    assert.isTrue(report.played[0].complete)
    assert.deepInclude(result, { endedBy: "caller", bargeInStopMs: null })
    assert.deepStrictEqual(
      result.events.map(({ type }) => type).filter((type) => /Speech/.test(type)),
      ["agentSpeechStarted", "agentSpeechEnded", "callerSpeechStarted", "callerSpeechEnded"]
    )
  })

  it("measures how long the agent goes on after it is interrupted, and lets nothing through after a clear", async () => {
    const answer = encode(tone(3_000, 523))
    here = await world(
      () => connect(),
      async (stream) => {
        speak(stream, answer)
        stream.send("mark", { mark: { name: "end" } })
        const hears = setInterval(() => {
          const samples = decode(inbound(stream))
          if (!samples.some((sample) => Math.abs(sample) > 1_000)) return
          clearInterval(hears)
          setTimeout(() => stream.send("clear"), 100)
        }, 5)
      }
    )
    const result = await here.network.call({
      ...numbers,
      caller: async (caller) => {
        await caller.waitForAgentToSpeak()
        await caller.sleep(300)
        await caller.say(tone(400))
        await caller.sleep(200)
        caller.hangUp()
      }
    })
    assert.approximately(result.bargeInStopMs!, 120, 50)
    const report = verifyHeard(result.heard, [{ text: "answer", mulaw: answer }])
    assert.isTrue(report.ok)
    assert.isFalse(report.played[0].complete)
    const clear = result.events.find((event) => event.type === "clear")
    assert.isAbove(clear?.type === "clear" ? clear.droppedMs : 0, 2_000)
    assert.isTrue(result.events.some((event) => event.type === "markEchoed" && event.name === "end"))
  })

  it("mixes the noise of the line into everything the caller sends", async () => {
    here = await world(() => connect())
    const { said } = await here.network.call({
      ...numbers,
      lineNoise: { rmsDbfs: -40 },
      caller: async (caller) => {
        await caller.sleep(400)
        caller.hangUp()
      }
    })
    const samples = decode(said)
    const rms = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)
    assert.approximately(20 * Math.log10(rms / 32_768), -40, 3)
  })

  it("shows a tap what passes on the media socket, and when", async () => {
    const speech = tone(100)
    here = await world(
      () => connect(),
      async (stream) => {
        await stream.next("start")
        speak(stream, encode(speech))
        stream.send("clear")
      }
    )
    const sent: Array<Uint8Array> = []
    const clock: Array<number> = []
    let [received, cleared] = [0, 0]
    await here.network.call({
      ...numbers,
      tap: {
        sent: (bytes, at, clockMs) => {
          sent.push(bytes.slice(at, at + 160))
          clock.push(clockMs)
        },
        received: (clockMs) => {
          received++
          clock.push(clockMs)
        },
        cleared: () => cleared++
      },
      caller: async (caller) => {
        await caller.say(speech)
        await caller.sleep(200)
        caller.hangUp()
      }
    })
    const said = inbound(here.streams[0])
    assert.deepStrictEqual(new Uint8Array(Buffer.concat(sent)).subarray(0, said.length), said)
    assert.deepStrictEqual([received, cleared], [speech.length / 160, 1])
    assert.deepStrictEqual(
      clock,
      [...clock].sort((a, b) => a - b)
    )
  })

  it("loses and swaps media messages, and sends other sizes, when it is told to", async () => {
    here = await world(() => connect())
    const caller: CallerScript = async (api) => {
      await api.sleep(300)
      api.hangUp()
    }
    Object.assign(here.network.faults, { loseEvery: 5, swapEvery: 4 })
    await here.network.call({ ...numbers, caller })
    const chunks = here.streams[0].of("media").map(({ media }) => Number(media.chunk))
    assert.deepStrictEqual(chunks.slice(0, 7), [1, 2, 3, 6, 4, 7, 9])
    Object.assign(here.network.faults, { loseEvery: 0, swapEvery: 0 })
    await here.network.call({ ...numbers, caller, frameBytes: 400 })
    const sizes = here.streams[1].of("media").map(({ media }) => Buffer.from(media.payload, "base64").length)
    assert.deepStrictEqual(new Set(sizes), new Set([400]))
    assert.approximately(sizes.length, 6, 1)
  })

  it("reports an engine that breaks the protocol", async () => {
    here = await world(
      () => connect(),
      (stream) => {
        stream.socket.send("not json")
        stream.socket.send(Buffer.from([1, 2]))
        stream.socket.send(JSON.stringify({ event: "clear", streamSid: "MZother" }))
        stream.media(new Uint8Array(161))
        setTimeout(() => stream.socket.close(), 100)
      }
    )
    const result = await here.network.call({ ...numbers, caller: silentCaller })
    assert.lengthOf(result.warnings, 3)
    assert.deepInclude(result.frames, { sent: 1, wrongSize: 1 })
  })

  it("rejects with what the caller's script threw, and leaves no call behind", async () => {
    here = await world(() => connect())
    const wrong = here.network.call({
      ...numbers,
      caller: async (caller) => caller.waitForAgentToSpeak(200)
    })
    assert.match(String(await wrong.catch((error: unknown) => error)), /the agent speaks: not within 200 ms/)
    assert.strictEqual(here.network.stats.live, 0)
    await here.streams[0].next("stop")
  })

  it("keeps a hundred calls at once on time", async () => {
    const answer = encode(tone(500, 523))
    here = await world(
      () => connect(),
      (stream) => speak(stream, answer)
    )
    const results = await Promise.all(
      Array.from({ length: 100 }, () =>
        here.network.call({
          ...numbers,
          caller: async (caller) => {
            await caller.waitForAgentToFinish(200)
            caller.hangUp()
          }
        })
      )
    )
    for (const { heard, frames } of results) {
      assert.isTrue(verifyHeard(heard, [{ text: "answer", mulaw: answer }]).ok)
      assert.deepInclude(frames, { sent: 25, late: 0 })
    }
    assert.strictEqual(here.network.stats.calls, 100)
  })
})
