import { describe, expect, it } from "@effect/vitest"
import { type Judged, wrongWith } from "../../bench/endings.ts"

const stored = { callSid: "CA1", over: true, ends: 1, told: 1, utterances: 2 }
const fine: Judged = {
  ...{ callSid: "CA1", ending: "stop", taken: true, closedByService: false, heardMs: 3_000, overAt: 0 },
  ...{ recordedMs: 100, stored }
}

describe("the endings bench", () => {
  it("finds nothing wrong with a call that has one end, told once, and its words", () => {
    expect(wrongWith(fine, false)).toEqual([])
    expect(wrongWith({ ...fine, taken: false, stored: undefined, recordedMs: undefined }, false)).toEqual([])
  })

  it("says what is missing and what came twice", () => {
    const twice = { ...stored, ends: 2, told: 2, utterances: 0 }
    expect(wrongWith({ ...fine, stored: twice }, false)).toEqual([
      "it ended 2 times",
      "call.ended was told 2 times",
      "nothing that was said is on record"
    ])
    expect(wrongWith({ ...fine, stored: undefined, recordedMs: undefined }, false)).toEqual(["there is no record"])
    expect(wrongWith({ ...fine, recordedMs: undefined }, false)).toEqual(["its end is not on record"])
    expect(wrongWith({ ...fine, stored: { ...stored, ends: 0 } }, false)).toEqual(["no engine ended it"])
  })
})
