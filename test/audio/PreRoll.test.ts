import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { PreRoll } from "../../src/audio/PreRoll.ts"

const samples = fc.array(fc.integer({ min: -32_768, max: 32_767 }), { maxLength: 300 })

describe("PreRoll", () => {
  it("gives the last moments in order, whatever the sizes pushed", () => {
    fc.assert(
      fc.property(fc.array(samples), (pieces) => {
        const roll = new PreRoll(20)
        for (const piece of pieces) roll.push(Int16Array.from(piece))
        const out: Array<number> = []
        roll.drain((pcm) => out.push(...pcm))
        const all = pieces.flat()
        expect(out).toEqual(all.slice(Math.max(0, all.length - 160)))
        roll.drain(() => expect.unreachable("drained twice"))
      })
    )
  })
})
