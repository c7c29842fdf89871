import { assert, describe, it } from "@effect/vitest"
import { synthesize } from "../../../simulators/voice/Synthesizer.ts"
import { speak } from "../../../simulators/voice/Voice.ts"

describe("speak", () => {
  it("gives telephone audio with every written word in its place", async () => {
    const text = "Hello, I would like a table for 2 people at 7:30 - don't worry."
    const { samples, words } = await speak(text, "en-US")
    assert.strictEqual(words.map((word) => word.text).join(" "), text)
    for (const [index, word] of words.entries()) {
      assert.isTrue(word.startMs < word.endMs, word.text)
      assert.isTrue(word.startMs >= (words[index - 1]?.endMs ?? 0), word.text)
    }
    assert.isTrue(words.at(-1)!.endMs <= samples.length / 8)
    const loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
    assert.isTrue(loudest > 5_000 && loudest < 30_000)
  })

  it("speaks Hindi", async () => {
    const { samples, words } = await speak("नमस्ते, मेरा ऑर्डर कहाँ है?", "hi-IN")
    assert.strictEqual(words.length, 5)
    assert.isTrue(samples.length > 8_000)
  })

  it("says the same text with the same samples, and another voice with others", async () => {
    const [first, again, other] = await Promise.all([
      speak("What is the price?", "en-US"),
      speak("What is the price?", "en-US"),
      speak("What is the price?", "en-US", { voice: "f2" })
    ])
    assert.deepStrictEqual(first.samples, again.samples)
    assert.notDeepEqual(first.samples, other.samples)
  })

  it("says a text the same way whatever was said before it", async () => {
    const job = { text: "My number is four one five", voice: "en-us", rate: 165, pitch: 50 }
    const first = await synthesize(job)
    await synthesize({ ...job, text: "Something else altogether.", rate: 220 })
    assert.deepStrictEqual((await synthesize(job)).samples, first.samples)
  })

  it("refuses a language it cannot speak", async () => {
    const failure = await speak("hello", "xx-XX").catch((error: Error) => error)
    assert.match(String(failure), /No such voice/)
  })
})
