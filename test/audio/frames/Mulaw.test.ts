import { describe, expect, it } from "vitest"
import { FRAME_BYTES, SILENCE } from "../../../src/audio/frames/Frame.ts"
import { decode, decodeInto, encode, powerOf, softenInto } from "../../../src/audio/frames/Mulaw.ts"

/** Published values of G.711: sample, byte, and the sample the byte stands for. */
const vectors = [
  [0, 0xff, 0],
  [1, 0xff, 0],
  [-1, 0x7f, 0],
  [100, 0xf2, 104],
  [-100, 0x72, -104],
  [1_000, 0xce, 988],
  [-1_000, 0x4e, -988],
  [10_000, 0x9c, 9_852],
  [-10_000, 0x1c, -9_852],
  [32_767, 0x80, 32_124],
  [-32_768, 0x00, -32_124]
] as const

describe("mu-law", () => {
  it.each(vectors)("sample %i is byte %i on the line and comes back as %i", (sample, byte, back) => {
    expect([...encode(Int16Array.of(sample))]).toEqual([byte])
    expect([...decode(Uint8Array.of(byte))]).toEqual([back])
  })

  it("every byte except the second zero survives decoding and encoding", () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i)
    const again = encode(decode(bytes))
    for (const byte of bytes) expect(again[byte]).toBe(byte === 0x7f ? 0xff : byte)
  })

  it("silence is the byte that decodes to nothing", () => {
    const pcm = new Int16Array(FRAME_BYTES).fill(1)
    decodeInto(new Uint8Array(FRAME_BYTES).fill(SILENCE), pcm)
    expect(pcm.every((sample) => sample === 0)).toBe(true)
  })

  it("is a quarter as loud when it is softened, to the nearest byte", () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i)
    const loud = decode(bytes)
    softenInto(bytes)
    expect([...bytes]).toEqual([...encode(loud.map((sample) => Math.round(sample / 4)))])
  })

  it("has the power of its samples", () => {
    const pcm = Int16Array.from({ length: FRAME_BYTES }, (_, i) => 500 * Math.sin(i))
    const line = encode(pcm)
    expect(powerOf(line)).toBeCloseTo(decode(line).reduce((sum, sample) => sum + sample * sample, 0) / FRAME_BYTES, 6)
  })
})
