import { describe, expect, it } from "@effect/vitest"
import { Tally } from "../../bench/crowd/Tally.ts"
import { attacks } from "../../bench/hostile/Attacks.ts"
import { limitsOf, type Pair, type Window } from "../../bench/hostile.ts"
import { met } from "../../bench/support/Report.ts"

const window = (lateMs: number, healthMs = 5): Window => ({
  lateness: Array<number>(200).fill(lateMs),
  health: Array<number>(60).fill(healthMs),
  pauses: 0,
  attacked: { connections: 1, answers: { "400": 1 } },
  recovered: true
})
const missed = (pair: Partial<Pair>, change: (tally: Tally) => void = () => undefined, missing = 0, kinds = 1) => {
  const tally = new Tally()
  change(tally)
  return limitsOf([{ name: "forms", beside: window(10), under: window(11), ...pair }], kinds, tally, missing)
    .filter((limit) => !met(limit))
    .map(({ name }) => name)
}

const ratio = "late p99 under attack, as a multiple of that beside it"

describe("the hostile bench", () => {
  it("succeeds when the calls are hardly later and /healthz answers", () => {
    expect(missed({})).toEqual([])
  })

  it("fails when the calls are later than beside the attack", () => {
    expect(missed({ under: window(13) })).toEqual([ratio])
  })

  it("fails when /healthz answers late or not at all, and when no frame was heard", () => {
    expect(missed({ under: window(10, 51) })).toEqual(["/healthz p99: forms"])
    expect(missed({ under: { ...window(10), health: [] } })).toEqual(["/healthz p99: forms"])
    expect(missed({ under: { ...window(10), lateness: [] } })).toEqual([ratio])
  })

  it("fails when a call was lost, or heard something else", () => {
    expect(missed({}, (tally) => void tally.errors.lost++, 1)).toEqual(["calls missing", "content errors"])
  })

  it("fails when the service stood still, so that other kinds were not sent", () => {
    expect(missed({}, undefined, 0, 3)).toEqual(["kinds that were not sent, because the service stood still"])
  })

  it("has something to send for every kind, and each kind its own name", () => {
    expect(new Set(attacks.map(({ name }) => name)).size).toBe(attacks.length)
    for (const { name, parts, staysMs } of attacks)
      expect([name, parts().length > 0 || staysMs !== undefined]).toEqual([name, true])
  })
})
