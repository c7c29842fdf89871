import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { start, type TextToSpeechSimulator } from "../../../simulators/text-to-speech/TextToSpeech.ts"

const json = { "content-type": "application/json" }
const sarvam = {
  text: "hello",
  target_language_code: "en-IN",
  speaker: "anushka",
  model: "bulbul:v2",
  speech_sample_rate: 8000,
  output_audio_codec: "mulaw"
}
const aura = "/v1/speak?model=aura-2-zeus-en&encoding=mulaw&container=none&sample_rate=8000"
const rachel = "/v1/text-to-speech/21m00Tcm4TlvDq8ikWAM/stream?output_format=ulaw_8000"

describe("the text-to-speech simulator", () => {
  let simulator: TextToSpeechSimulator
  beforeAll(async () => {
    simulator = await start({ apiKey: "secret", firstByteMs: 60, speed: 200 })
  })
  afterAll(() => simulator.close())

  const post = (path: string, headers: Record<string, string>, body: unknown) =>
    fetch(`${simulator.url}${path}`, { method: "POST", headers: { ...json, ...headers }, body: JSON.stringify(body) })
  const indic = (change: object) =>
    post("/text-to-speech/stream", { "api-subscription-key": "secret" }, { ...sarvam, ...change })
  const english = (path: string, body: object) => post(path, { authorization: "Token secret" }, body)
  const premium = (path: string, body: object) => post(path, { "xi-api-key": "secret" }, body)

  it("answers with the speech it logs, after the latency it was given", async () => {
    await (await indic({})).arrayBuffer()
    const began = performance.now()
    const response = await indic({})
    assert.isAtLeast(performance.now() - began, 55)
    const audio = new Uint8Array(await response.arrayBuffer())
    const entry = simulator.synthesized.at(-1)
    assert.deepStrictEqual(audio, entry?.mulaw)
    assert.strictEqual(entry?.outcome, "sent")
    assert.strictEqual(entry?.sentBytes, audio.length)
  })

  it("refuses a bad key as each provider does", async () => {
    const bad = await Promise.all([
      post("/text-to-speech/stream", { "api-subscription-key": "no" }, sarvam),
      post(aura, { authorization: "Token no" }, { text: "hello" }),
      post(rachel, {}, { text: "hello" })
    ])
    assert.deepEqual(
      bad.map((it) => it.status),
      [403, 401, 401]
    )
    const bodies = (await Promise.all(bad.map((it) => it.json()))) as Array<Record<string, Record<string, string>>>
    assert.strictEqual(bodies[0].error.code, "invalid_api_key_error")
    assert.isString(bodies[1].err_msg)
    assert.strictEqual(bodies[2].detail.status, "invalid_api_key")
  })

  it("refuses what the providers refuse", async () => {
    const refusals: ReadonlyArray<readonly [Promise<Response>, number, RegExp]> = [
      [indic({ text: "" }), 400, /cannot be empty/],
      [indic({ text: "a".repeat(1_501) }), 400, /at most 1500 characters/],
      [indic({ speaker: "priya" }), 400, /not compatible/],
      [indic({ target_language_code: "en-US" }), 400, /target_language_code/],
      [english(aura.replace("zeus", "nobody"), { text: "hello" }), 400, /No such model/],
      [english(aura.replace("none", "wav"), { text: "hello" }), 400, /container/],
      [english(aura, { text: "a".repeat(2_001) }), 413, /2000/],
      [english(aura, {}), 400, /missing or empty/],
      [premium(rachel.replace("21m", "x"), { text: "hello" }), 404, /voice_not_found/],
      [premium(rachel, {}), 422, /Field required/],
      [premium(rachel, { text: "hello", model_id: "old" }), 400, /model_not_found/],
      [premium("/v1/elsewhere", { text: "hello" }), 404, /Not found/]
    ]
    for (const [answer, status, words] of refusals) {
      const response = await answer
      assert.strictEqual(response.status, status, String(words))
      assert.match(await response.text(), words)
    }
  })

  it("switches the retired model off on demand", async () => {
    simulator.faults.bulbulV2Deprecated = true
    const response = await indic({})
    assert.strictEqual(response.status, 400)
    assert.match(await response.text(), /has been deprecated\. Please use 'bulbul:v3'/)
    assert.strictEqual((await indic({ model: "bulbul:v3", speaker: "priya" })).status, 200)
    simulator.faults.bulbulV2Deprecated = false
  })
})
