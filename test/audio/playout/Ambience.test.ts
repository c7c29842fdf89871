import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { FRAME_BYTES, SAMPLE_RATE, SILENCE } from "../../../src/audio/frames/Frame.ts"
import { decode, encode } from "../../../src/audio/frames/Mulaw.ts"
import { Ambience } from "../../../src/audio/playout/Ambience.ts"

const LOOP_FRAMES = 600

/** The samples of `frames` frames of the room alone. */
const listen = (ambience: Ambience, frames: number): Int16Array => {
  const out = new Uint8Array(FRAME_BYTES)
  const heard = new Int16Array(frames * FRAME_BYTES)
  for (let frame = 0; frame < frames; frame++) {
    ambience.nextFrame(out)
    heard.set(decode(out), frame * FRAME_BYTES)
  }
  return heard
}
const decibels = (samples: Int16Array) =>
  20 * Math.log10(Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length) / 32_768)
const loudest = (samples: Int16Array) => samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)

describe("Ambience", () => {
  it("is a quiet room that is never silent and never suddenly loud", () => {
    const room = listen(new Ambience(0), LOOP_FRAMES)
    expect(Math.abs(decibels(room) + 45)).toBeLessThan(0.5)
    for (let at = 0; at < room.length; at += SAMPLE_RATE) {
      const second = decibels(room.subarray(at, at + SAMPLE_RATE))
      expect(second).toBeGreaterThan(-50)
      expect(second).toBeLessThan(-40)
    }
    expect(loudest(room)).toBeLessThan(32_768 * 10 ** (-28 / 20))
  })

  it("repeats without a click", () => {
    const room = listen(new Ambience(LOOP_FRAMES - 1), 2)
    const steps = room.map((sample, i) => (i === 0 ? 0 : sample - room[i - 1]))
    const atSeam = Math.abs(steps[FRAME_BYTES])
    expect(atSeam).toBeLessThanOrEqual(loudest(steps.subarray(1, FRAME_BYTES)))
    // A click is also heard as a jump of level.
    const level = decibels(room.subarray(FRAME_BYTES)) - decibels(room.subarray(0, FRAME_BYTES))
    expect(Math.abs(level)).toBeLessThan(6)
    const ambience = new Ambience(3)
    const once = listen(ambience, LOOP_FRAMES)
    expect(listen(ambience, LOOP_FRAMES)).toEqual(once)
  })

  it("two calls at the same time are not in the same place", () => {
    const [one, other] = [listen(new Ambience(), 10), listen(new Ambience(), 10)]
    expect(one).not.toEqual(other)
  })

  it("lies under speech without changing it, and goes on where it was when speech ends", () => {
    const speech = Int16Array.from({ length: FRAME_BYTES }, (_, i) => Math.round(6_000 * Math.sin(i / 5)))
    const room = listen(new Ambience(7), 2)
    const ambience = new Ambience(7)
    const frame = encode(speech)
    ambience.mixInto(frame)
    const added = decode(frame).map((sample, i) => sample - decode(encode(speech))[i])
    // What was added is the room, as exactly as mu-law can say it beside loud speech.
    expect(loudest(added.map((sample, i) => sample - room[i]))).toBeLessThanOrEqual(256)
    expect(listen(ambience, 1)).toEqual(room.subarray(FRAME_BYTES))
  })

  it("keeps every frame and adds the room, and clips what is too loud instead of wrapping it round", () => {
    const byte = fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(0x00, 0x80, SILENCE))
    const frames = fc
      .uint8Array({ minLength: FRAME_BYTES, maxLength: FRAME_BYTES })
      .chain((random) => fc.record({ random: fc.constant(random), all: fc.option(byte) }))
    fc.assert(
      fc.property(frames, fc.nat(LOOP_FRAMES - 1), ({ random, all }, start) => {
        const frame = all === null ? random.slice() : random.map(() => all)
        const before = decode(frame)
        const room = listen(new Ambience(start), 1)
        new Ambience(start).mixInto(frame)
        const after = decode(frame)
        for (let i = 0; i < FRAME_BYTES; i++) {
          const wanted = Math.max(-32_124, Math.min(32_124, before[i] + room[i]))
          // Half a mu-law step at that level, and what rounding of the room alone may differ.
          expect(Math.abs(after[i] - wanted)).toBeLessThanOrEqual(Math.abs(wanted) / 32 + 8 + 16)
        }
      })
    )
  })
})
