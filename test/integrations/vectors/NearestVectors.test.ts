import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { leastScore } from "../../../src/domain/ai/knowledge/KnowledgeTool.ts"
import { nearestOf } from "../../../src/integrations/vectors/NearestVectors.ts"
import { scoreOf } from "../../../src/integrations/vectors/SimilarPassagesThreads.ts"

const dimensions = fc.integer({ min: 1, max: 9 })
const blocksOf = (size: number) =>
  fc.array(
    fc.array(fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: size, maxLength: size }), {
      maxLength: 8
    }),
    { maxLength: 4 }
  )

describe("The nearest vectors", () => {
  it("are those with the largest cosines, in order", () => {
    fc.assert(
      fc.property(
        dimensions.chain((size) =>
          fc.tuple(
            blocksOf(size),
            fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: size, maxLength: size })
          )
        ),
        fc.integer({ min: 1, max: 10 }),
        ([rows, question], most) => {
          const blocks = rows.map(
            (block, n) =>
              [`s${n}`, { numbers: Int32Array.from(block.keys()), values: Float32Array.from(block.flat()) }] as const
          )
          const near = nearestOf(blocks, Float32Array.from(question), most)
          const asked = Float32Array.from(question)
          const all = rows.flatMap((block) =>
            block.map((row) => Float32Array.from(row).reduce((sum, value, k) => sum + value * asked[k], 0))
          )
          const expected = all.toSorted((a, b) => b - a).slice(0, most)
          expect(near.length).toBe(expected.length)
          for (const [at, { cosine }] of near.entries()) expect(cosine).toBeCloseTo(expected[at], 4)
        }
      )
    )
  })

  it("are not looked for among vectors of other dimensions", () => {
    const block = { numbers: Int32Array.of(0), values: Float32Array.of(1, 0, 0) }
    expect(nearestOf([["s", block]], Float32Array.of(1, 0), 5)).toEqual([])
  })
})

describe("A cosine as a score", () => {
  it("grows with the cosine, stays between 0 and 1, and may answer from the least cosine on", () => {
    const cosine = fc.double({ min: -1, max: 1, noNaN: true })
    fc.assert(
      fc.property(cosine, cosine, fc.double({ min: 0.05, max: 0.95, noNaN: true }), (a, b, least) => {
        const [low, high] = [scoreOf(Math.min(a, b), least), scoreOf(Math.max(a, b), least)]
        expect(low).toBeLessThanOrEqual(high)
        expect(low).toBeGreaterThanOrEqual(0)
        expect(high).toBeLessThanOrEqual(1)
      })
    )
    expect(scoreOf(0.35, 0.35)).toBeCloseTo(leastScore)
  })
})
