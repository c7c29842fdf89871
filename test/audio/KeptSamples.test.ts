import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { KeptSamples } from "../../src/audio/KeptSamples.ts"

const most = 4_000
const block = 1_600

const held = (kept: KeptSamples) => {
  const samples: Array<number> = []
  kept.forEach((piece) => void samples.push(...piece))
  return samples
}

const step = fc.record({ call: fc.nat(2), count: fc.integer({ min: 0, max: 2_500 }), forgets: fc.boolean() })

describe("kept samples", () => {
  it("are the newest in their order, of each call its own, however calls take turns", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const calls = [0, 1, 2].map(() => ({ kept: new KeptSamples(most), model: [] as number[] }))
        let next = 0
        for (const { call, count, forgets } of steps) {
          const { kept, model } = calls[call]
          const samples = Int16Array.from({ length: count }, () => next++ % 30_000)
          kept.push(samples)
          model.push(...samples)
          if (forgets && count % 3 === 0) {
            kept.clear()
            model.length = 0
          }
          samples.fill(-1)
          for (const { kept, model } of calls) {
            expect(kept.length).toBeLessThanOrEqual(most)
            expect(kept.length).toBeGreaterThanOrEqual(Math.min(model.length, most - block))
            expect(held(kept)).toEqual(model.slice(model.length - kept.length))
          }
        }
      }),
      { numRuns: 60 }
    )
  })
})
