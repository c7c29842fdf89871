import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readEvalFile } from "../../../src/cli/eval/EvalFile.ts"
import { stepsOf } from "../../../src/cli/eval/Record.ts"
import { sideBySide } from "../../../src/cli/eval/report.ts"
import { fits, problemsOf } from "../../../src/domain/messaging/rehearsal/Judge.ts"

const refused = (text: string) => Effect.map(Effect.flip(readEvalFile(text)), ({ message }) => message)

describe("the file of an evaluation", () => {
  it.effect(
    "is refused with a sentence when it is no YAML, has a field that is not known, or a turn of two kinds",
    () =>
      Effect.gen(function* () {
        assert.match(yield* refused("agent: [unclosed"), /^The file is no YAML/)
        assert.match(yield* refused("agent: bot_1\nconversation: []"), /^The file is no evaluation/)
        assert.match(
          yield* refused("agent: bot_1\nconversations:\n  - name: two\n    turns: [{ contact: Hi, human: Hello }]"),
          /"two": a turn has exactly one of contact, human, handBack, resolve/
        )
      })
  )
})

describe("what is expected of a step", () => {
  const done = {
    said: ["Your order is ready."],
    tools: [{ name: "find_order", arguments: '{"orderNumber":"2041","more":1}', result: "" }],
    outcome: "answered"
  } as const

  it("is fulfilled by the named arguments of the named tools, and by words in any case", () => {
    const tools = [{ name: "find_order", arguments: { orderNumber: "2041" } }]
    assert.isEmpty(problemsOf({ tools, contains: "READY", not: ["refund"], messages: 1 }, done))
  })

  it("is told in sentences when it is not", () => {
    assert.deepStrictEqual(
      problemsOf({ tools: [], contains: "refund", not: "ready", outcome: "handed_over", messages: 2 }, done),
      [
        "It was answered, not handed_over.",
        "It sent 1 messages, not 2.",
        'It did not say "refund".',
        'It said "ready".',
        "It called find_order."
      ]
    )
    assert.isFalse(fits({ a: [1, 2] }, { a: [1] }))
    assert.isTrue(fits({ a: { b: "x" } }, { a: { b: "x", c: 1 }, d: 2 }))
  })
})

describe("a real conversation as a test", () => {
  it("has what the contact wrote in a row as one turn, the agent's words beside it, and people's words in between", () => {
    assert.deepStrictEqual(
      stepsOf([
        { who: "contact", text: "Hi" },
        { who: "contact", text: "Is it ready?" },
        { who: "agent", text: "It is." },
        { who: "person", text: "I am Ben." },
        { who: "contact", text: "Thanks" },
        { who: "person", text: "You are welcome." }
      ]),
      [{ contact: ["Hi", "Is it ready?"], before: ["It is."] }, { human: "I am Ben." }, { contact: ["Thanks"] }]
    )
  })

  it("is handed back where the agent spoke after a person", () => {
    assert.deepStrictEqual(
      stepsOf([
        { who: "person", text: "It is ready." },
        { who: "contact", text: "Thanks" },
        { who: "contact", text: "When do you close?" },
        { who: "agent", text: "At six." },
        { who: "contact", text: "Good" },
        { who: "agent", text: "See you." }
      ]),
      [
        { human: "It is ready." },
        { handBack: true },
        { contact: ["Thanks", "When do you close?"], before: ["At six."] },
        { contact: ["Good"], before: ["See you."] }
      ]
    )
  })

  it("is shown before and after side by side", () => {
    assert.deepStrictEqual(sideBySide("It is.", "It is ready."), [`    ${"It is.".padEnd(56)} │ It is ready.`])
  })
})
