import { describe, expect, it } from "vitest"
import { talkRatio } from "../../../../../src/domain/voice/calls/records/CallRecord.ts"

describe("the talk ratio of a call", () => {
  it("is the agent's share of the time in which somebody was heard", () => {
    expect(talkRatio(10_000, 30_000)).toBe(0.75)
    expect(talkRatio(0, 4_000)).toBe(1)
    expect(talkRatio(4_000, 0)).toBe(0)
    expect(talkRatio(2_000, 1_000)).toBe(0.333)
  })

  it("is unknown when nobody spoke or nobody measured", () => {
    expect(talkRatio(0, 0)).toBeNull()
    expect(talkRatio(null, 5_000)).toBeNull()
    expect(talkRatio(5_000, null)).toBeNull()
  })
})
