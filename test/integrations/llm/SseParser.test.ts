import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { maxPendingCharacters, type SseEvent, SseParser } from "../../../src/integrations/llm/SseParser.ts"

const bytes = (text: string) => new TextEncoder().encode(text)

/** Feeds `all` cut at the given byte positions. */
const parseBytes = (all: Uint8Array, cuts: ReadonlyArray<number> = []): Array<SseEvent> => {
  const parser = new SseParser()
  const edges = [0, ...cuts.map((cut) => cut % (all.length + 1)).sort((a, b) => a - b), all.length]
  const events = edges.slice(1).flatMap((edge, i) => parser.push(all.subarray(edges[i], edge)))
  return [...events, ...parser.finish()]
}
const parse = (text: string, cuts?: ReadonlyArray<number>) => parseBytes(bytes(text), cuts)
const everyByte = (all: Uint8Array) => Array.from({ length: all.length }, (_, i) => i)

describe("SseParser", () => {
  it("finds the same events however the bytes are cut, in any script and with any line ending", () => {
    const line = fc.string({ unit: "grapheme", maxLength: 20 }).map((text) => text.replace(/[\r\n]/g, " "))
    const script = fc.constantFrom("आपका ऑर्डर कल पहुँचेगा", "தமிழ் வணக்கம்", "👍🏽 done", "plain", "[DONE]")
    const event = fc.record({
      event: fc.constantFrom("message", "error"),
      lines: fc.array(fc.oneof(line, script), { minLength: 1, maxLength: 3 })
    })
    const everything = fc.tuple(fc.array(event), fc.constantFrom("\n", "\r\n", "\r"), fc.boolean(), fc.boolean())
    fc.assert(
      fc.property(everything, fc.array(fc.nat()), ([events, eol, mark, ended], cuts) => {
        const text = events
          .map(({ event, lines }) => {
            const name = event === "message" ? [] : [`event: ${event}`]
            return [":comment", ...name, ...lines.map((data) => `data: ${data}`), "", ""].join(eol)
          })
          .join("")
        const sent = bytes((mark ? "\uFEFF" : "") + (ended ? text : text.slice(0, text.length - eol.length)))
        const expected = events.map(({ event, lines }) => ({ event, data: lines.join("\n") }))
        assert.deepStrictEqual(parseBytes(sent, cuts), expected)
        assert.deepStrictEqual(parseBytes(sent, everyByte(sent)), expected)
      })
    )
  })

  it("finds the same events in malformed bytes however they are cut", () => {
    const words = ["data", "data:", "data: ", "event: error", "event:", "id: 7", "retry: x", "dat", ":", " ", "स", "\n"]
    const word = fc.constantFrom(...words, "\r", "\r\n", "\n\n", "\uFEFF", "x").map(bytes)
    const piece = fc.oneof({ weight: 9, arbitrary: word }, { weight: 1, arbitrary: fc.uint8Array({ maxLength: 3 }) })
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.array(fc.nat()), (pieces, cuts) => {
        const sent = Buffer.concat(pieces)
        assert.deepStrictEqual(parseBytes(sent, cuts), parseBytes(sent))
        assert.deepStrictEqual(parseBytes(sent, everyByte(sent)), parseBytes(sent))
      }),
      { numRuns: 500 }
    )
  })

  it("keeps a Hindi syllable whole when every byte arrives alone", () => {
    const sent = bytes('data: {"content":"नमस्ते 👋"}\n\n')
    assert.deepStrictEqual(parseBytes(sent, everyByte(sent)), [{ event: "message", data: '{"content":"नमस्ते 👋"}' }])
  })

  it("ignores keep-alive comments, unknown fields and blank lines", () => {
    assert.deepStrictEqual(parse(": ping\n\n\nid: 7\nretry: 10\n\ndata:x\n\n"), [{ event: "message", data: "x" }])
  })

  it("returns the last event when the server ends without a blank line", () => {
    assert.deepStrictEqual(parse("data: a\n\ndata: [DONE]"), [
      { event: "message", data: "a" },
      { event: "message", data: "[DONE]" }
    ])
  })

  it("gives up at an event that never ends, and keeps the events before it", () => {
    for (const endless of ["a".repeat(60_000), `${"a".repeat(60_000)}\ndata: `]) {
      const parser = new SseParser()
      assert.deepStrictEqual(parser.push(bytes("data: first\n\ndata: ")), [{ event: "message", data: "first" }])
      for (let sent = 0; sent <= maxPendingCharacters; sent += endless.length) {
        assert.isFalse(parser.tooLong)
        assert.deepStrictEqual(parser.push(bytes(endless)), [])
      }
      assert.isTrue(parser.tooLong)
      assert.deepStrictEqual([...parser.push(bytes("\n\ndata: next\n\n")), ...parser.finish()], [])
    }
  })
})
