/** What a mind that takes a call over makes of the clauses that the sound has. */
import { describe, expect, it } from "vitest"
import { leftOf } from "../../../../src/actors/voice/engine/LinkedMinds.ts"

const clauses = [
  { clause: 0, text: "One moment.", line: "interruptible", bytes: 0, whole: false },
  { clause: 1, text: "We are open.", bytes: 800, whole: false },
  { clause: 2, text: "Until six.", bytes: 0, whole: false },
  { clause: 3, text: "Not judged yet.", bytes: 0, whole: false }
] as const

describe("what is left of an agent's speech", () => {
  it("is said again when it has no sound: lines, and what the model has said and may be heard", () => {
    expect(leftOf(clauses, { passed: [1, 2], thinking: false })).toEqual({
      reply: ["We are open."],
      unsaid: [
        { text: "One moment.", interruptible: true },
        { text: "Until six.", interruptible: true }
      ]
    })
  })

  it("is left to the model while it thinks", () => {
    expect(leftOf(clauses, { passed: [1, 2], thinking: true }).unsaid).toEqual([
      { text: "One moment.", interruptible: true }
    ])
  })
})
