import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  type AgentThread,
  answeredUpTo,
  failedAt,
  handedBack,
  heard,
  held,
  interrupted,
  longestWaitMs,
  mayAnswer,
  newThread,
  renewed,
  silenced,
  type TurnBase,
  turnAt,
  written
} from "../../../../src/domain/messaging/agents/AgentThread.ts"

const hear = (thread: AgentThread, at: number, pauseMs = 1_200) =>
  heard(thread, { agentId: "bot_1", routed: true, at, pauseMs })

describe("the wait for more messages", () => {
  it("begins anew with each message, and ends 8 seconds after the first", () => {
    let thread = hear(newThread, 1_000)
    expect(thread.dueAt).toBe(2_200)
    thread = hear(thread, 2_000, 3_000)
    expect(thread.dueAt).toBe(5_000)
    for (const at of [4_000, 6_000, 8_000]) thread = hear(thread, at, 3_000)
    expect(thread.dueAt).toBe(1_000 + longestWaitMs)
    expect(turnAt(thread, 8_999)).toBeUndefined()
    expect(turnAt(thread, 9_000)).toEqual({ version: 1, watermark: 5, byReminder: false })
  })

  it("is that of the newer messages when some came during the turn", () => {
    const first = hear(newThread, 0)
    const turn = turnAt(first, 1_200)
    expect(turn).toBeDefined()
    if (turn === undefined) return
    const second = hear(first, 2_000)
    expect(mayAnswer(second, turn)).toBe(true)
    const after = answeredUpTo(second, turn, 2_500, undefined)
    expect(after).toMatchObject({ answered: 1, received: 2, dueAt: 3_200 })
    expect(turnAt(after, 3_200)).toMatchObject({ watermark: 2 })
  })
})

describe("a reminder", () => {
  const turnOf = (thread: AgentThread, now: number) => turnAt(thread, now) ?? expect.fail("no turn is due")
  const asked = answeredUpTo(hear(newThread, 0), turnOf(hear(newThread, 0), 1_200), 2_000, {
    at: 60_000,
    text: "the order"
  })

  it("begins one turn, at its time", () => {
    expect(turnAt(asked, 59_999)).toBeUndefined()
    const turn = turnOf(asked, 60_000)
    expect(turn.byReminder).toBe(true)
    const after = answeredUpTo(asked, turn, 61_000, undefined)
    expect(after).toMatchObject({ remindAt: null, reminder: null, dueAt: null })
    expect(mayAnswer(after, turn)).toBe(false)
  })

  it("is kept when the contact writes before, and gone when a person takes over", () => {
    const wrote = hear(asked, 30_000)
    const answered = answeredUpTo(wrote, turnOf(wrote, 31_200), 32_000, undefined)
    expect(answered).toMatchObject({ remindAt: 60_000, dueAt: 60_000 })
    expect(silenced(answered)).toMatchObject({ remindAt: null, dueAt: null })
  })
})

/** A conversation as the store and the owner's process play it: one state that is kept, and a turn in memory that may be lost at any time. */
type Step =
  | { readonly type: "message"; readonly after: number }
  | { readonly type: "begin"; readonly after: number }
  | { readonly type: "words"; readonly hasWords: boolean }
  | { readonly type: "settle"; readonly how: "answer" | "hand over" | "fail" }
  | { readonly type: "person" | "hand back" | "opt out" | "reopen" | "kill" }

const after = fc.integer({ min: 0, max: 10_000 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: after.map((ms): Step => ({ type: "message", after: ms })) },
  { weight: 4, arbitrary: after.map((ms): Step => ({ type: "begin", after: ms })) },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom("answer", "answer", "hand over", "fail")
      .map((how): Step => ({ type: "settle", how: how as "answer" }))
  },
  fc.boolean().map((hasWords): Step => ({ type: "words", hasWords })),
  fc.constantFrom("person", "hand back", "opt out", "reopen", "kill").map((type): Step => ({ type: type as "kill" }))
)

describe("any interleaving of messages, turns, people, hand-overs, opt-outs and kills", () => {
  it("gives at most one answer for a message, none after a person, and leaves none unanswered", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let now = 0
        let thread: AgentThread = { ...newThread, agentId: "bot_1" }
        /** Two turns at once: an owner that was frozen still thinks. */
        let turns: Array<TurnBase> = []
        /** The counts that answers covered, and those that people took. */
        let covered = 0
        const settle = (turn: TurnBase, how: "answer" | "hand over" | "fail") => {
          if (!mayAnswer(thread, turn)) return
          expect(thread.silent).toBe(false)
          if (how === "fail") {
            thread = failedAt(thread, now)
            return
          }
          expect(turn.watermark).toBeGreaterThan(covered)
          covered = turn.watermark
          thread = answeredUpTo(thread, turn, now, undefined)
          if (how === "hand over") {
            thread = silenced(thread)
            covered = thread.received
          }
        }
        const begin = () => {
          const turn = turnAt(thread, now)
          if (turn !== undefined) turns.push(turn)
        }
        for (const one of steps) {
          if ("after" in one) now += one.after
          switch (one.type) {
            case "message":
              if (!thread.silent) thread = hear(thread, now)
              break
            case "begin":
              begin()
              break
            case "words":
              // A turn may be held for the words of a voice message, which come, or do not.
              if (turnAt(thread, now) !== undefined && one.hasWords) thread = held(thread, now + 1_000)
              thread = written(thread, { agentId: "bot_1", at: now, dueAt: now + 100, hasWords: one.hasWords })
              break
            case "settle": {
              const turn = turns.shift()
              if (turn !== undefined) settle(turn, one.how)
              break
            }
            case "kill":
              turns = []
              break
            case "person":
              thread = silenced(thread)
              covered = thread.received
              break
            case "opt out":
              thread = interrupted(thread)
              covered = thread.received
              break
            case "hand back":
              covered = thread.received
              thread = handedBack(thread, "bot_1", now, true)
              break
            case "reopen":
              thread = renewed(thread)
              covered = thread.received
              break
          }
          expect(thread.answered).toBeLessThanOrEqual(thread.received)
          // What waits has a time at which its turn begins.
          if (thread.received > thread.answered) expect(thread.dueAt).not.toBeNull()
        }
        // Whatever was interrupted: those that still wait get their answer as soon as somebody looks.
        for (let looks = 0; looks < 3 && thread.received > thread.answered; looks++) {
          now = Math.max(now, thread.dueAt ?? now)
          turns = []
          begin()
          const [turn] = turns
          expect(turn).toBeDefined()
          if (turn !== undefined) settle(turn, "answer")
        }
        expect(thread.answered).toBe(thread.received)
        expect(covered).toBe(thread.received)
      }),
      { numRuns: 2_000 }
    )
  })
})
