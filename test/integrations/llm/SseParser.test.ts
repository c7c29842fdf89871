import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { type SseEvent, SseParser } from "../../../src/integrations/llm/SseParser.ts"

const bytes = (text: string) => new TextEncoder().encode(text)

/** Feeds `text` cut at the given byte positions. */
const parse = (text: string, cuts: ReadonlyArray<number> = []): Array<SseEvent> => {
  const parser = new SseParser()
  const all = bytes(text)
  const edges = [0, ...cuts.map((cut) => cut % (all.length + 1)).sort((a, b) => a - b), all.length]
  const events = edges.slice(1).flatMap((edge, i) => parser.push(all.subarray(edges[i], edge)))
  return [...events, ...parser.finish()]
}

describe("SseParser", () => {
  it("finds the same events however the bytes are cut, in any script and with any line ending", () => {
    const line = fc.string({ unit: "grapheme", maxLength: 20 }).map((text) => text.replace(/[\r\n]/g, " "))
    const script = fc.constantFrom("आपका ऑर्डर कल पहुँचेगा", "தமிழ் வணக்கம்", "👍🏽 done", "plain")
    const event = fc.record({
      event: fc.constantFrom("message", "error"),
      lines: fc.array(fc.oneof(line, script), { minLength: 1, maxLength: 3 })
    })
    fc.assert(
      fc.property(fc.array(event), fc.array(fc.nat()), fc.constantFrom("\n", "\r\n", "\r"), (events, cuts, eol) => {
        const text = events
          .map(({ event, lines }) => {
            const name = event === "message" ? [] : [`event: ${event}`]
            return [":comment", ...name, ...lines.map((data) => `data: ${data}`), "", ""].join(eol)
          })
          .join("")
        const expected = events.map(({ event, lines }) => ({ event, data: lines.join("\n") }))
        assert.deepStrictEqual(parse(text, cuts), expected)
      })
    )
  })

  it("keeps a Hindi syllable whole when every byte arrives alone", () => {
    const text = 'data: {"content":"नमस्ते 👋"}\n\n'
    const cuts = Array.from({ length: bytes(text).length }, (_, i) => i)
    assert.deepStrictEqual(parse(text, cuts), [{ event: "message", data: '{"content":"नमस्ते 👋"}' }])
  })

  it("ignores keep-alive comments, unknown fields and blank lines", () => {
    assert.deepStrictEqual(parse(": ping\n\n\nid: 7\nretry: 10\n\ndata:x\n\n"), [{ event: "message", data: "x" }])
  })

  it("gives out the last event of a server that ends without a blank line", () => {
    assert.deepStrictEqual(parse("data: a\n\ndata: [DONE]"), [
      { event: "message", data: "a" },
      { event: "message", data: "[DONE]" }
    ])
  })
})
