import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { MediaTimeline } from "../../../src/audio/recording/MediaTimeline.ts"

/** Frames of a call whose delay, in ms, `delay` gives by frame. */
const heardOf = (frames: number, delay: (frame: number) => number) => {
  const timeline = new MediaTimeline()
  for (let n = 0; n < frames; n++) timeline.arrived(n * 20, n * 20 + delay(n))
  return timeline
}

describe("MediaTimeline", () => {
  it("is the service's own time until the caller is heard", () => {
    expect(new MediaTimeline().at(120)).toBe(120)
  })

  it("finds the true delay under any jitter that lets one frame in ten seconds through", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3_000), { minLength: 1, maxLength: 499 }), (jitter) => {
        const timeline = heardOf(5_000, (n) => 40 + (n % 400 === 0 ? 0 : jitter[n % jitter.length]))
        expect(timeline.at(100_000)).toBe(100_000 - 40)
      })
    )
  })

  it("is not moved by a stall of seconds and the burst after it", () => {
    const stalled = heardOf(1_000, (n) => (n > 700 && n < 900 ? 40 + (900 - n) * 20 : 40))
    expect(stalled.at(20_000)).toBe(19_960)
  })

  it("follows a sender whose clock is slower or was set back, within twenty seconds", () => {
    expect(heardOf(3_000, (n) => 40 + (n >= 1_500 ? 2_000 : 0)).at(60_000)).toBe(60_000 - 2_040)
    const drifting = heardOf(180_000, (n) => 40 + n * 20 * 0.0001)
    expect(Math.abs(drifting.at(3_600_000) - (3_600_000 - 400))).toBeLessThan(5)
  })
})
