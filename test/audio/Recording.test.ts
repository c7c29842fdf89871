import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { rms } from "../../simulators/voice/Noise.ts"
import { PreRoll } from "../../src/audio/PreRoll.ts"
import { resample } from "../../src/audio/Resample.ts"
import { decodeWav, encodeWav } from "../../src/domain/Wav.ts"

const samples = fc.array(fc.integer({ min: -32_768, max: 32_767 }), { maxLength: 300 })
const tone = (hz: number, rate: number, length: number) =>
  Int16Array.from({ length }, (_, i) => 10_000 * Math.sin((2 * Math.PI * hz * i) / rate))

describe("PreRoll", () => {
  it("gives the last moments in order, whatever the sizes pushed", () => {
    fc.assert(
      fc.property(fc.array(samples), (pieces) => {
        const roll = new PreRoll(20)
        for (const piece of pieces) roll.push(Int16Array.from(piece))
        const out: Array<number> = []
        roll.drain((pcm) => out.push(...pcm))
        const all = pieces.flat()
        expect(out).toEqual(all.slice(Math.max(0, all.length - 160)))
        roll.drain(() => expect.unreachable("drained twice"))
      })
    )
  })
})

describe("WAV", () => {
  it("reads back what it wrote", () => {
    fc.assert(
      fc.property(samples, samples, (left, right) => {
        const { channels, sampleRate } = decodeWav(encodeWav([Int16Array.from(left), Int16Array.from(right)], 8_000))
        const length = Math.max(left.length, right.length)
        expect(sampleRate).toBe(8_000)
        expect([...channels[0]]).toEqual([...left, ...new Array(length - left.length).fill(0)])
        expect([...channels[1]]).toEqual([...right, ...new Array(length - right.length).fill(0)])
      })
    )
  })

  it("says what is wrong with a file that is none", () => {
    expect(() => decodeWav(new Uint8Array(50))).toThrow("not a WAV file")
    expect(() => decodeWav(encodeWav([new Int16Array(9)], 8_000).subarray(0, 36))).toThrow("without data")
  })
})

describe("resample", () => {
  it("keeps a voice's frequencies as they are", () => {
    const out = resample(tone(1_000, 22_050, 22_050), 22_050, 8_000)
    expect(out.length).toBe(8_000)
    const expected = tone(1_000, 8_000, 8_000)
    const error = out.map((sample, i) => sample - expected[i]).subarray(400, 7_600)
    expect(rms(error)).toBeLessThan(10)
  })

  it("removes what the new rate cannot carry", () => {
    const out = resample(tone(5_000, 22_050, 22_050), 22_050, 8_000)
    expect(rms(out.subarray(400, 7_600))).toBeLessThan(10)
  })
})
