import { describe, expect, it } from "@effect/vitest"
import { NotAnswered } from "../../bench/turn/Talk.ts"
import { type Playable, play } from "../../bench/turn.ts"

const talk = (changes: Partial<Playable> = {}): Playable => ({
  framesIn: 0,
  framesOut: 0,
  open: () => Promise.resolve(),
  turn: () => Promise.resolve(),
  ...changes
})
const silent = () => Promise.reject(new NotAnswered("nobody there"))

describe("the turn bench", () => {
  it("succeeds when all turns are played and answered", async () => {
    const { done, unanswered, table } = await play([talk(), talk()], 16)
    expect([done, unanswered, table.rows.length]).toEqual([16, 0, 8])
  })

  it("counts calls that die unanswered, although the others play their turns", async () => {
    const { done, unanswered } = await play([talk(), talk({ turn: silent }), talk({ open: silent })], 16)
    expect([done, unanswered]).toEqual([16, 2])
  })

  it("does not take another failure for an unanswered call", async () => {
    const broken = () => Promise.reject(new Error("broken"))
    await expect(play([talk({ turn: broken })], 8)).rejects.toThrow("broken")
  })
})
