import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { wavHeader } from "../../../simulators/voice/WavHeader.ts"
import { decodeWav, encodeWav } from "../../../src/domain/basics/Wav.ts"

const samples = fc.array(fc.integer({ min: -32_768, max: 32_767 }), { maxLength: 300 })

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

  it("reads files that other programs wrote", () => {
    const pcm = Int16Array.of(1, -2, 32_767)
    const file = Buffer.concat([wavHeader("pcm", pcm.byteLength), Buffer.from(pcm.buffer)])
    expect(decodeWav(file)).toEqual({ channels: [pcm], sampleRate: 8_000 })
    expect(Buffer.compare(encodeWav([pcm], 8_000), file)).toBe(0)
  })

  it("says what is wrong with a file that is not a WAV file", () => {
    expect(() => decodeWav(new Uint8Array(50))).toThrow("not a WAV file")
    expect(() => decodeWav(encodeWav([new Int16Array(9)], 8_000).subarray(0, 36))).toThrow("without data")
  })
})
