import { describe, expect, it } from "@effect/vitest"
import { outboundLimits } from "../../bench/overload.ts"
import { met } from "../../bench/support/Report.ts"

const missed = (accepted: number, refused: number, failed = 0) =>
  outboundLimits([
    ...Array<number>(accepted).fill(201),
    ...Array<number>(refused).fill(429),
    ...Array<number>(failed).fill(500)
  ])
    .filter((limit) => !met(limit))
    .map(({ name }) => name)

const [accepted, refused] = [
  "outbound calls accepted, more or fewer than 5",
  "outbound calls answered 429, more or fewer than 10"
]

describe("the overload bench's outbound calls", () => {
  it("are as many as the organization may have, and no more", () => {
    expect(missed(5, 10)).toEqual([])
    expect(missed(6, 9)).toEqual([accepted, refused])
  })

  it("are not met when none was taken, or an error stood for a refusal", () => {
    expect(missed(0, 15)).toEqual([accepted, refused])
    expect(missed(5, 9, 1)).toEqual([refused])
    expect(missed(4, 10, 1)).toEqual([accepted])
  })
})
