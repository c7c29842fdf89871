import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { chatMarks, longestMessage, messagesOf } from "../../../../src/domain/messaging/agents/AnswerText.ts"

describe("Markdown in a chat", () => {
  it.each([
    ["**Open** until *six*.", "*Open* until _six_."],
    ["## Hours\nMonday", "*Hours*\nMonday"],
    ["* one\n* two", "- one\n- two"],
    ["See [our page](https://shop.example/a_b).", "See our page: https://shop.example/a_b."],
    ["[https://a.example](https://a.example)", "https://a.example"],
    ["__bold__ and ~~gone~~", "*bold* and ~gone~"],
    ["`a * b * c` and 2 * 3 * 4", "`a * b * c` and 2 * 3 * 4"],
    ["| Day | Hours |\n|---|---|\n| Monday | 9–6 |", "Day – Hours\n\nMonday – 9–6"],
    ["my_file_name.txt", "my_file_name.txt"],
    ["a\r\n\r\n\r\n\r\nb  ", "a\n\nb"]
  ])("%j is %j", (markdown, marks) => {
    expect(chatMarks(markdown)).toBe(marks)
  })
})

describe("an answer", () => {
  const words = (text: string) => text.split(/\s+/).filter((word) => word !== "")

  it("is one message while it fits, and otherwise splits between paragraphs, then lines, sentences and words", () => {
    expect(messagesOf("One.\n\nTwo.")).toEqual(["One.\n\nTwo."])
    const paragraph = "A sentence of some length. ".repeat(25).trim()
    expect(messagesOf(`${paragraph}\n\n${paragraph}`)).toEqual([paragraph, paragraph])
    for (const part of messagesOf("A sentence of some length. ".repeat(100)))
      expect(part.endsWith("length.")).toBe(true)
    expect(messagesOf("  \n ")).toEqual([])
  })

  it("loses no word, whatever it is, and no message is longer than people read", () => {
    const word = fc.stringMatching(/^[a-zA-Zäé漢🙂.!?]{1,30}$/u)
    const text = fc.array(fc.tuple(word, fc.constantFrom(" ", "\n", "\n\n", "  ")), { maxLength: 400 })
    fc.assert(
      fc.property(text, (pieces) => {
        const whole = pieces.map(([one, space]) => one + space).join("")
        const parts = messagesOf(whole)
        expect(words(parts.join("\n"))).toEqual(words(chatMarks(whole)))
        for (const part of parts) expect(part.length).toBeLessThanOrEqual(longestMessage)
      })
    )
    const long = "🙂".repeat(1_300)
    expect(messagesOf(long).join("")).toBe(long)
  })
})
