import { once } from "node:events"
import { afterEach, assert, beforeAll, describe, it } from "@effect/vitest"
import { WebSocket } from "ws"
import {
  type SpeechToTextOptions,
  type SpeechToTextSimulator,
  start
} from "../../../simulators/speech-to-text/SpeechToText.ts"
import type { Spoken } from "../../../simulators/voice/Voice.ts"
import { callers, inSilence } from "./sounds.ts"

const good =
  "language-code=en-IN&model=saarika:v2.5&sample_rate=8000&input_audio_codec=pcm_s16le&vad_signals=true&flush_signal=true"

interface Said {
  readonly type: string
  readonly data: { readonly signal_type?: string; readonly transcript?: string; readonly error?: string }
}

const refusedWith = async (socket: WebSocket) => {
  socket.on("error", () => undefined)
  const [, response] = await once(socket, "unexpected-response")
  socket.terminate()
  return response.statusCode as number
}

describe("the speech-to-text simulator", () => {
  let known: ReadonlyArray<Spoken> = []
  let simulator: SpeechToTextSimulator | undefined
  const clients: Array<WebSocket> = []
  beforeAll(async () => {
    known = await callers()
  })
  afterEach(async () => {
    for (const client of clients.splice(0)) client.terminate()
    await simulator?.close()
  })

  const dial = async (query = good, options: SpeechToTextOptions = {}) => {
    simulator = await start({ bank: known, apiKey: "secret", ...options })
    const socket = new WebSocket(`${simulator.wsUrl}/speech-to-text/ws?${query}`, {
      headers: { "api-subscription-key": "secret" }
    })
    clients.push(socket)
    return socket
  }
  const talk = async (options: SpeechToTextOptions = {}) => {
    const socket = await dial(good, options)
    const said: Array<Said> = []
    socket.on("message", (data) => said.push(JSON.parse(data.toString())))
    await once(socket, "open")
    const send = (samples: Int16Array, size: number) => {
      for (let at = 0; at < samples.length; at += size) {
        const data = Buffer.from(samples.slice(at, at + size).buffer).toString("base64")
        socket.send(JSON.stringify({ audio: { data, sample_rate: 8000, encoding: "audio/wav" } }))
      }
    }
    const heard = async (count: number) => {
      while (said.length < count) await once(socket, "message")
      return said.map((it) => it.data.signal_type ?? it.data.transcript ?? it.data.error)
    }
    return { socket, send, heard, flush: () => socket.send('{"type":"flush"}') }
  }

  it("writes what it hears when flushed, at any size of message", async () => {
    const { send, heard, flush } = await talk()
    for (const [index, size] of [160, 800, 333, 40_000].entries()) {
      send(inSilence(known[index].samples, 200).subarray(0, known[index].samples.length + 800), size)
      flush()
      const messages = await heard(3 * (index + 1))
      assert.deepStrictEqual(messages.slice(-3), ["START_SPEECH", "END_SPEECH", known[index].text])
    }
  })

  it("writes after silence without a flush, and nothing for a flush without speech", async () => {
    const { send, heard, flush } = await talk()
    flush()
    send(inSilence(known[2].samples, 1_600), 800)
    send(new Int16Array(4_000), 800)
    assert.deepStrictEqual(await heard(3), ["START_SPEECH", "END_SPEECH", known[2].text])
    flush()
    send(inSilence(known[3].samples, 1_600), 800)
    flush()
    assert.deepStrictEqual((await heard(6)).slice(3), ["START_SPEECH", "END_SPEECH", known[3].text])
  })

  it("passes each transcript to `onTranscript` as it leaves", async () => {
    const told: Array<string> = []
    const { send, heard, flush } = await talk({ onTranscript: (text) => told.push(text) })
    send(known[0].samples, 800)
    assert.deepStrictEqual(told, [])
    flush()
    await heard(3)
    assert.deepStrictEqual(told, [known[0].text])
  })

  it("recognises sentences that it is taught later", async () => {
    const { send, heard, flush } = await talk({ bank: [] })
    simulator?.learn(known[0])
    send(known[0].samples, 800)
    flush()
    assert.strictEqual((await heard(3)).at(-1), known[0].text)
  })

  it("refuses a bad key with 403 and bad parameters with 400", async () => {
    assert.strictEqual(await refusedWith(await dial(good, { apiKey: "another" })), 403)
    for (const wrong of ["language-code=en-US", "sample_rate=11025", "mode=translate", "model=unknown"]) {
      await simulator?.close()
      const [name] = wrong.split("=")
      const query = new URLSearchParams(good)
      query.set(name, wrong.slice(name.length + 1))
      assert.strictEqual(await refusedWith(await dial(query.toString())), 400, wrong)
    }
  })

  it("explains a message it cannot read, and closes a stream that is silent for too long", async () => {
    const { socket, heard } = await talk({ idleMs: 100 })
    socket.send("{")
    assert.deepStrictEqual(await heard(1), ["Invalid JSON"])
    const [code] = await once(socket, "close")
    assert.strictEqual(code, 1000)
  })
})
