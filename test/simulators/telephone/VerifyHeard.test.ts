import { assert, describe, it } from "vitest"
import { encode } from "../../../simulators/telephone/Mulaw.ts"
import { verifyHeard } from "../../../simulators/telephone/VerifyHeard.ts"
import { tone } from "./support.ts"

const clause = (text: string, ms: number, hertz: number) => ({ text, mulaw: encode(tone(ms, hertz)) })
const one = clause("one", 205, 437)
const two = clause("two", 300, 611)
const three = clause("three", 100, 823)
const silence = (ms: number) => new Uint8Array(ms * 8).fill(0xff)
/** A clause as an engine sends it, with the last frame filled up. */
const sent = (mulaw: Uint8Array) => Buffer.concat([mulaw, silence(20)]).subarray(0, Math.ceil(mulaw.length / 160) * 160)
const heard = (...pieces: Array<Uint8Array>) => new Uint8Array(Buffer.concat(pieces))

describe("verifyHeard", () => {
  it("recognises clauses in order, with pauses and a hole in the middle of one", () => {
    const all = sent(two.mulaw)
    const report = verifyHeard(
      heard(silence(60), sent(one.mulaw), silence(400), all.subarray(0, 800), silence(40), all.subarray(800)),
      [one, two, three]
    )
    assert.isTrue(report.ok)
    assert.deepStrictEqual(
      report.played.map(({ text, complete }) => [text, complete]),
      [
        ["one", true],
        ["two", true]
      ]
    )
    assert.strictEqual(report.played[0].fromFrame, 3)
  })

  it("allows a clause to be cut at a frame, and not to come back", () => {
    const all = sent(two.mulaw)
    const cut = verifyHeard(heard(all.subarray(0, 480), silence(300), sent(three.mulaw)), [one, two, three])
    assert.isTrue(cut.ok)
    assert.deepInclude(cut.played[0], { text: "two", complete: false })
    const leak = verifyHeard(heard(all.subarray(0, 480), sent(three.mulaw), all.subarray(480)), [one, two, three])
    assert.isFalse(leak.ok)
    assert.lengthOf(leak.foreignFrames, 12)
  })

  it("detects foreign audio, shifted bytes and a clause out of order", () => {
    assert.isFalse(verifyHeard(sent(three.mulaw), [one, two]).ok)
    assert.isFalse(verifyHeard(heard(silence(1), sent(two.mulaw), silence(19)), [one, two]).ok)
    assert.deepStrictEqual(verifyHeard(heard(sent(two.mulaw), sent(one.mulaw)), [one, two]).outOfOrder, ["one"])
    assert.deepStrictEqual(verifyHeard(heard(sent(two.mulaw), sent(two.mulaw)), [one, two]).outOfOrder, ["two"])
  })

  it("lets audio made ahead of time be played at any moment, more than once", () => {
    const prompt = { ...one, cached: true }
    assert.isTrue(verifyHeard(heard(sent(two.mulaw), sent(one.mulaw), sent(one.mulaw)), [prompt, two]).ok)
  })
})
