import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { roughTokens } from "../../../../src/domain/ai/providers/AskModel.ts"
import { outgrown } from "../../../../src/domain/messaging/agents/RollingSummary.ts"
import { readable } from "../../../../src/domain/messaging/agents/TurnPrompt.ts"
import type { Message } from "../../../../src/domain/messaging/conversations/Message.ts"
import { aMessage } from "../../../support/aMessage.ts"

const message = (text: string, second: number): Message => ({
  ...aMessage,
  id: `msg_${second}`,
  content: { text },
  createdAt: new Date(second * 1_000).toISOString()
})

const tokens = (messages: ReadonlyArray<Message>) => messages.reduce((sum, one) => sum + roughTokens(readable(one)), 0)

const histories = fc
  .array(fc.tuple(fc.string({ minLength: 1, maxLength: 400 }), fc.integer({ min: 0, max: 1 })), { maxLength: 40 })
  .map((all) => {
    let second = 0
    return all.map(([text, later]) => {
      second += later
      return message(text, second)
    })
  })

describe("the messages that are summed up", () => {
  it("are none while all fit into the budget", () => {
    fc.assert(
      fc.property(histories, (history) => {
        expect(outgrown(history, tokens(history))).toEqual([])
      })
    )
  })

  it("are the oldest ones, and never split messages of one millisecond", () => {
    fc.assert(
      fc.property(histories, fc.integer({ min: 20, max: 500 }), (history, budget) => {
        const older = outgrown(history, budget)
        expect(older).toEqual(history.slice(0, older.length))
        const next = history[older.length]
        if (older.length > 0) expect(next.createdAt > older[older.length - 1].createdAt).toBe(true)
      })
    )
  })

  it("leave what fits into half of the budget", () => {
    const history = Array.from({ length: 20 }, (_, index) => message("x".repeat(400), index))
    const left = history.slice(outgrown(history, 1_000).length)
    expect(tokens(left)).toBe(500)
    expect(tokens(outgrown(history, 2_000))).toBe(0)
  })
})
