import { describe, expect, it } from "vitest"
import { answerClause, question } from "../../bench/crowd/Words.ts"
import { met } from "../../bench/support/Report.ts"
import { compareRecord } from "../../bench/survive/Record.ts"
import { takeOversOf } from "../../bench/survive/TakeOvers.ts"
import { limitsOf } from "../../bench/survive.ts"

const survived = {
  ...{
    closed: 0,
    refused: 0,
    framesLost: 0,
    framesDoubled: 0,
    unanswered: 0,
    stale: 0,
    repeatedClauses: 0,
    toolsTwice: 0
  },
  record: { lost: [], doubled: [] },
  takeOvers: [{ calls: 2, ms: [900, 1_100] }]
}
const missed = (changes: Partial<typeof survived> = {}, waiting = true) =>
  limitsOf({ ...survived, ...changes }, { waiting })
    .filter((limit) => !met(limit))
    .map(({ name }) => name)

describe("the bench of killed engines", () => {
  it("succeeds when nobody noticed", () => {
    expect(missed()).toEqual([])
  })

  it("fails when the agent went on with an answer to somebody who had asked the next question", () => {
    expect(missed({ stale: 1 })).toEqual(["answers that went on after the next question"])
  })

  it("fails when a stream was closed, a call was left, or none was killed", () => {
    expect(missed({ closed: 1 })).toEqual(["streams closed"])
    expect(missed({ takeOvers: [{ calls: 3, ms: [900, 1_100] }] })).toEqual(["calls that no engine took over"])
    expect(missed({ takeOvers: [] })).toEqual(["taken over, p99"])
  })

  it("gives an engine that has to begin more time", () => {
    const slow = { takeOvers: [{ calls: 1, ms: [3_000] }] }
    expect([missed(slow), missed(slow, false)]).toEqual([["taken over, p99"], []])
  })

  it("takes the streams that are opened after a kill for those that it ended", () => {
    const streams = { closed: [50, 1_010, 1_020, 9_000], opened: [10, 20, 2_000, 1_900, 9_500] }
    expect(takeOversOf(streams, 1_000, 21_000)).toEqual({ calls: 2, ms: [900, 1_000] })
    expect(takeOversOf({ ...streams, opened: [10, 20] }, 1_000, 21_000)).toEqual({ calls: 2, ms: [] })
  })

  it("finds what is missing on record, or is on it twice, but for what was interrupted and the last turn", () => {
    const caller = 7
    const all = (turn: number) => [
      { role: "caller", text: question({ caller, turn }) } as const,
      { role: "agent", text: [1, 2].map((clause) => answerClause({ caller, turn }, clause)).join(" ") } as const
    ]
    const asked = [{ caller, turns: 4, interrupted: new Set([2]) }]
    const interrupted = [all(2)[0], { role: "agent", text: answerClause({ caller, turn: 2 }, 1) } as const]
    expect(compareRecord(asked, [...all(1), ...interrupted, ...all(3)])).toEqual({ lost: [], doubled: [] })
    expect(compareRecord(asked, [...all(1), ...interrupted, all(3)[1], ...all(1)])).toEqual({
      lost: [question({ caller, turn: 3 })],
      doubled: [
        question,
        (of: { caller: number; turn: number }) => answerClause(of, 1),
        (of: { caller: number; turn: number }) => answerClause(of, 2)
      ].map((text) => text({ caller, turn: 1 }))
    })
  })
})
