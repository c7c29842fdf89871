import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { FRAME_BYTES, SILENCE } from "../../../src/audio/frames/Frame.ts"
import { encode } from "../../../src/audio/frames/Mulaw.ts"
import { quietestFrame } from "../../../src/audio/playout/Quiet.ts"

const tone = (samples: number, amplitude: number) =>
  encode(Int16Array.from({ length: samples }, (_, i) => Math.round(amplitude * Math.sin(i / 3))))

describe("quietestFrame", () => {
  it("finds the gap between two words", () => {
    const gap = new Uint8Array(240).fill(SILENCE)
    const at = quietestFrame(Uint8Array.from([...tone(800, 8_000), ...gap, ...tone(800, 8_000)]))
    expect(at).toBeGreaterThanOrEqual(800)
    expect(at + FRAME_BYTES).toBeLessThanOrEqual(1_040)
  })

  it("keeps the place it was given when no other place is clearly quieter", () => {
    expect(quietestFrame(tone(2_000, 8_000))).toBe(2_000 - FRAME_BYTES)
  })

  it("gives a place inside the audio, however little there is", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1_000 }), (mulaw) => {
        const at = quietestFrame(mulaw)
        expect(at).toBeGreaterThanOrEqual(0)
        expect(at).toBeLessThanOrEqual(Math.max(0, mulaw.length - FRAME_BYTES))
      })
    )
  })
})
