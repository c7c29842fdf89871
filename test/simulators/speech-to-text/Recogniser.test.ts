import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Bank } from "../../../simulators/speech-to-text/Bank.ts"
import { recognise } from "../../../simulators/speech-to-text/Recogniser.ts"
import { type Spoken, speak } from "../../../simulators/voice/Voice.ts"
import { callers, inSilence, mix, withNoise, without } from "./sounds.ts"

describe("recognise", () => {
  let known: ReadonlyArray<Spoken> = []
  let bank = new Bank()
  beforeAll(async () => {
    known = await callers()
    bank = new Bank(known)
  })

  it("hears intact speech right, wherever in the audio it starts and however loud it is", () => {
    for (const { text, samples } of known) {
      for (const before of [0, 1, 79, 160, 1_234]) {
        assert.strictEqual(recognise(bank, inSilence(samples, before)), text)
      }
      assert.strictEqual(
        recognise(
          bank,
          inSilence(samples, 33).map((sample) => sample * 0.4)
        ),
        text
      )
    }
  })

  it("hears intact speech of more than a syllable right in noise 10 dB below it", () => {
    for (const [seed, { text, samples }] of known.entries()) {
      if (text === "Yes.") continue
      assert.strictEqual(recognise(bank, withNoise(inSilence(samples, 777), 10, seed + 1)), text)
    }
  })

  it("hears two sentences in their order", () => {
    const line = new Int16Array(80_000)
    line.set(known[1].samples, 300)
    line.set(known[2].samples, 300 + known[1].samples.length + 4_000)
    assert.strictEqual(recognise(bank, line), `${known[1].text} ${known[2].text}`)
  })

  it("hears the pieces of a hesitating caller, whatever the pauses between them, in noise too", () => {
    const pieces = [known[0], known[6], known[2]]
    for (const pause of [2_400, 5_600, 11_200]) {
      const line = new Int16Array(pieces.reduce((sum, { samples }) => sum + samples.length + pause, 4_000))
      let at = 500
      for (const { samples } of pieces) {
        line.set(samples, at)
        at += samples.length + pause
      }
      const said = pieces.map(({ text }) => text).join(" ")
      assert.strictEqual(recognise(bank, line), said)
      assert.strictEqual(recognise(bank, withNoise(line, 10, pause)), said)
    }
  })

  it("does not hear a word whose first syllable is cut off", () => {
    const [hello] = known
    assert.strictEqual(
      recognise(bank, inSilence(hello.samples.subarray(1_200), 0)),
      "… I would like to book a table for two people."
    )
    for (const { text, samples } of known)
      assert.notStrictEqual(recognise(bank, inSilence(samples.subarray(1_200), 0)), text)
  })

  it("notices one lost frame anywhere in the speech", () => {
    for (const { text, samples, words } of known) {
      for (let at = words[0].startMs * 8 + 800; at + 1_600 < words.at(-1)!.endMs * 8; at += 480) {
        assert.notStrictEqual(
          recognise(bank, inSilence(without(samples, at, 160), 50)),
          text,
          `${text} at ${at / 8} ms`
        )
      }
    }
  })

  it("notices a frame of silence in place of speech", () => {
    for (const { text, samples } of known) {
      for (let at = 0; at + 160 <= samples.length; at += 160) {
        if (!samples.subarray(at, at + 160).some((sample) => Math.abs(sample) > 2_000)) continue
        const damaged = samples.slice()
        damaged.fill(0, at, at + 160)
        assert.notStrictEqual(recognise(bank, inSilence(damaged, 50)), text, `${text} at ${at / 8} ms`)
      }
    }
  })

  it("does not hear words through another caller's voice, known or not", async () => {
    const stranger = await speak("Nobody has taught the recogniser this sentence.", "en-US", { voice: "f4" })
    for (const other of [stranger, known[5]]) {
      for (const { text, samples } of known) {
        if (text !== other.text) assert.notStrictEqual(recognise(bank, mix(inSilence(samples, 0), other.samples)), text)
      }
    }
  })

  it("hears another caller's frames in the middle of a sentence as a wrong word", () => {
    const [hello, order] = known
    const crossed = hello.samples.slice()
    crossed.set(order.samples.subarray(4_000, 4_320), hello.words[5].startMs * 8 + 160)
    assert.strictEqual(recognise(bank, inSilence(crossed, 0)), "Hello, I would like to … a table for two people.")
  })

  it("says only the words it was given when a sentence comes in two parts", () => {
    const [, order] = known
    const between = order.words[4].startMs * 8
    assert.strictEqual(recognise(bank, order.samples.slice(0, between)), "Where is my order?")
    assert.strictEqual(recognise(bank, order.samples.slice(between)), "The number is 12345.")
  })

  it("hears nothing in silence, noise and unknown speech", async () => {
    const unknown = await speak("The quick brown fox jumps over the lazy dog.", "en-US")
    assert.strictEqual(recognise(bank, new Int16Array(16_000)), "")
    assert.strictEqual(recognise(bank, new Int16Array(0)), "")
    assert.strictEqual(recognise(bank, withNoise(new Int16Array(32_000).fill(1_000), 0, 7)), "")
    assert.strictEqual(recognise(bank, inSilence(unknown.samples, 100)), "")
  })

  it("takes a few milliseconds of processor time for a sentence", () => {
    const line = inSilence(known[0].samples, 123)
    for (let i = 0; i < 10; i++) recognise(bank, line)
    const began = process.cpuUsage()
    for (let i = 0; i < 20; i++) recognise(bank, line)
    assert.isBelow(process.cpuUsage(began).user / 1_000 / 20, 15)
  })
})
