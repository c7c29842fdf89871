import { describe, expect, it } from "vitest"
import { Waits } from "../../../../src/actors/voice/sound/Waits.ts"

/** A caller who says words at the seconds `words` and makes sounds during `sounds`; gives the second at which they are asked. */
const askedAt = (words: ReadonlyArray<number>, sounds: readonly [from: number, until: number] = [0, 0]) => {
  const waits = new Waits()
  const asked: Array<number> = []
  waits.armSilence(8_000, 0)
  for (let now = 0; now <= 60_000 && asked.length === 0; now += 20) {
    const caller = {
      wordsAt: Math.max(Number.NEGATIVE_INFINITY, ...words.map((s) => s * 1_000).filter((ms) => ms <= now)),
      unfinished: now >= sounds[0] * 1_000 && now < sounds[1] * 1_000
    }
    // Whoever asks again changes nothing.
    waits.armSilence(8_000, now)
    waits.look(caller, now, (over) => void (over === "silence" && asked.push(now / 1_000)))
  }
  return asked[0]
}

describe("the question whether the caller is still there", () => {
  it("is asked after the configured silence", () => {
    expect(askedAt([])).toBe(8)
  })

  it("is not asked while words come, even if no turn ends for a long time", () => {
    expect(askedAt([3, 9, 16])).toBe(24)
  })

  it("is asked later when the caller is in the middle of a sentence", () => {
    expect(askedAt([], [7, 10])).toBeCloseTo(10.08)
  })

  it("is asked on a line that is never quiet, too", () => {
    expect(askedAt([], [0, 60])).toBeLessThanOrEqual(12.5)
  })
})

describe("a caller who is given time", () => {
  it("has it to the end, and a little longer in the middle of a sound; only the newest turn is waited for", () => {
    const waits = new Waits()
    const over: Array<[unknown, number]> = []
    waits.awaitMore(1, 2_000)
    waits.awaitMore(2, 2_500)
    for (let now = 0; now <= 10_000; now += 20)
      waits.look({ wordsAt: 0, unfinished: now > 2_000 && now < 3_000 }, now, (what) => void over.push([what, now]))
    expect(over).toEqual([[2, 3_020]])
  })
})
