import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { PauseLearner } from "../../../../src/domain/voice/dialogue/PauseLearner.ts"

const learned = (...pauses: ReadonlyArray<number>) => {
  const learner = new PauseLearner()
  for (const pause of pauses) learner.observe(pause)
  return learner.learnedMs
}

describe("a caller's own pauses", () => {
  it("are not known before the first one, which counts in full", () => {
    assert.isUndefined(learned())
    assert.strictEqual(learned(700), 700)
    assert.isUndefined(learned(Number.NaN))
  })

  it("are followed slowly: one long pause moves the average by a fifth of the difference", () => {
    assert.strictEqual(learned(500, 1_000), 600)
    assert.approximately(learned(400, ...Array<number>(20).fill(1_200)) ?? 0, 1_200, 10)
  })

  it("stay between a breath and two seconds", () => {
    assert.strictEqual(learned(20), 200)
    assert.strictEqual(learned(60_000), 2_000)
    fc.assert(
      fc.property(fc.array(fc.double(), { minLength: 1 }), (pauses) => {
        const average = learned(...pauses)
        if (average !== undefined) assert.isTrue(average >= 200 && average <= 2_000)
      })
    )
  })
})
