/** The client's parser of server-sent events. */
import { createParser } from "eventsource-parser"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { SseParser } from "../../clients/typescript/src/SseParser.ts"

/** Parts that make well-formed and odd streams, also with a CR at the end of a piece. */
const part = fc.constantFrom(
  "id: 1",
  "id",
  "event: a",
  "data: x",
  "data:y",
  "data",
  ": note",
  "retry: 5",
  "é",
  "\n",
  "\n\n",
  "\r\n",
  "\r",
  " ",
  ":"
)

describe("the parser of server-sent events", () => {
  it("finds the same events as eventsource-parser, in whatever pieces they come", () => {
    let events = 0
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), fc.array(fc.nat(20), { minLength: 1 }), (parts, sizes) => {
        const text = `${parts.join("")}\n\ndata: end\n\n`
        const expected: Array<unknown> = []
        const judge = createParser({ onEvent: ({ event = "", data, id }) => expected.push({ event, data, id }) })
        judge.feed(text)
        const parser = new SseParser()
        const found: Array<unknown> = []
        for (let at = 0, turn = 0; at < text.length; turn++) {
          const size = sizes[turn % sizes.length] + 1
          found.push(...parser.push(text.slice(at, at + size)))
          at += size
        }
        expect(found).toEqual(expected)
        events += found.length
      }),
      { numRuns: 2_000 }
    )
    expect(events).toBeGreaterThan(2_000)
  })
})
