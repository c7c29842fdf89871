import { describe, expect, it } from "vitest"
import { rms } from "../../../simulators/voice/Noise.ts"
import { toTelephoneRate } from "../../../simulators/voice/Resampler.ts"

const tone = (hz: number, rate: number) =>
  Int16Array.from({ length: rate }, (_, i) => 10_000 * Math.sin((2 * Math.PI * hz * i) / rate))

describe("toTelephoneRate", () => {
  it("keeps a voice's frequencies as they are", () => {
    const out = toTelephoneRate(tone(1_000, 22_050))
    expect(out.length).toBe(8_000)
    const expected = tone(1_000, 8_000)
    const error = out.map((sample, i) => sample - expected[i]).subarray(400, 7_600)
    expect(rms(error)).toBeLessThan(10)
  })

  it("removes what the telephone cannot carry", () => {
    const out = toTelephoneRate(tone(5_000, 22_050))
    expect(rms(out.subarray(400, 7_600))).toBeLessThan(10)
  })
})
