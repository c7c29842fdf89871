import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fusedKeys } from "../../../../src/domain/ai/knowledge/FindPassages.ts"

const list = fc.uniqueArray(fc.integer({ min: 0, max: 30 }).map(String), { minLength: 1, maxLength: 20 })

describe("Two lists put together by rank", () => {
  it("have each passage once, and what is first in one list is among the first four", () => {
    fc.assert(
      fc.property(list, list, (words, meaning) => {
        const fused = fusedKeys([words, meaning])
        expect(fused.toSorted()).toEqual([...new Set([...words, ...meaning])].toSorted())
        expect(fused.indexOf(words[0])).toBeLessThan(4)
        expect(fused.indexOf(meaning[0])).toBeLessThan(4)
      })
    )
  })

  it("begin with what both have first", () => {
    fc.assert(
      fc.property(list, list, (words, meaning) => {
        expect(
          fusedKeys([
            ["best", ...words],
            ["best", ...meaning]
          ])[0]
        ).toBe("best")
      })
    )
  })
})
