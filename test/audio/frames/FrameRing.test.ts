import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { FRAME_BYTES } from "../../../src/audio/frames/Frame.ts"
import { FrameRing } from "../../../src/audio/frames/FrameRing.ts"

const frame = (number: number) => new Uint8Array(FRAME_BYTES).fill(number % 256)

describe("a ring of frames", () => {
  it("gives the newest frames in order to a reader of any pace, and counts those it has lost", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.constantFrom("push", "take", "clear"), { maxLength: 200 }),
        (capacity, steps) => {
          const ring = new FrameRing(capacity)
          const model: Array<number> = []
          let next = 0
          let lost = 0
          for (const step of steps) {
            if (step === "push") {
              ring.push(frame(next))
              model.push(next++)
              if (model.length > capacity) {
                model.shift()
                lost++
              }
            } else if (step === "clear") {
              ring.clear()
              model.length = 0
            } else {
              const out = new Uint8Array(2 * FRAME_BYTES)
              const expected = model.shift()
              expect(ring.take(out, FRAME_BYTES)).toBe(expected !== undefined)
              expect(out.subarray(0, FRAME_BYTES)).toEqual(frame(0))
              expect(out.subarray(FRAME_BYTES)).toEqual(frame(expected ?? 0))
            }
            expect(ring.length).toBe(model.length)
            expect(ring.lost).toBe(lost)
          }
        }
      )
    )
  })
})
