import { Exit, Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { contentOf, OutgoingBody } from "../../../../src/domain/messaging/sending/OutgoingMessage.ts"
import { SendRequest, sendTo } from "../../../../src/domain/messaging/sending/SendRequest.ts"
import { isEmoji } from "../../../../src/domain/messaging/sending/types/Reaction.ts"
import { everyType } from "../../../support/outgoing.ts"

const to = "+14155550123"
const decoded = (input: unknown) => Schema.decodeUnknownExit(OutgoingBody)(input)
const taken = (input: unknown) => Exit.isSuccess(Schema.decodeUnknownExit(SendRequest)(input))

/** What people write: any characters except control characters and unpaired surrogates. */
const written = (maxLength: number) =>
  fc
    .string({ unit: "grapheme", maxLength })
    .filter((text) => text.trim() !== "" && text.length <= maxLength && !/[\p{Cc}\p{Cs}]/u.test(text))

describe("an outgoing message", () => {
  it("has one of ten types, with exactly the fields of its type", () => {
    const bodies = everyType("msg_1")
    expect(new Set(bodies.map(({ type }) => type)).size).toBe(10)
    for (const { type, ...content } of bodies) {
      const exit = decoded({ type, ...content, colour: "red" })
      expect(Exit.isSuccess(exit) ? contentOf(exit.value) : exit, type).toEqual(content)
    }
  })

  it("is accepted or refused without an exception, whatever JSON it is", () => {
    const types = everyType("msg_1").map(({ type }) => type)
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...types), fc.jsonValue(), (whole, type, part) => {
        taken(whole)
        taken({
          to,
          type,
          text: part,
          interactive: part,
          components: part,
          contacts: part,
          emoji: part,
          mediaUrl: part
        })
      })
    )
  })

  it("keeps its text as it was written, up to 4,096 characters and no further", () => {
    fc.assert(fc.property(written(300), (text) => taken({ to, type: "text", text })))
    expect(taken({ to, type: "text", text: "x".repeat(4_096) })).toBe(true)
    expect(taken({ to, type: "text", text: "x".repeat(4_097) })).toBe(false)
  })

  it("has a file from exactly one source", () => {
    const sources = [{}, { mediaUrl: "https://example.com/a" }, { mediaId: "med_1" }]
    for (const type of ["image", "audio", "video", "document"])
      for (const a of sources)
        for (const b of sources) {
          const source = { ...a, ...b }
          expect(taken({ to, type, filename: "a.pdf", ...source })).toBe(Object.keys(source).length === 1)
        }
  })

  it("has a list of at most ten rows, however they are spread over sections", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 6 }), (sizes) => {
        const sections = sizes.map((size, s) => ({
          title: `Section ${s}`,
          rows: Array.from({ length: size }, (_, i) => ({ id: `${s}.${i}`, title: `Row ${i}` }))
        }))
        const interactive = { type: "list", body: { text: "Which?" }, action: { button: "Choose", sections } }
        const total = sizes.reduce((sum, size) => sum + size, 0)
        return taken({ to, type: "interactive", interactive }) === total <= 10
      })
    )
  })

  it("has one emoji as a reaction, whatever its code points, and no text that only contains one", () => {
    for (const emoji of ["👍", "👍🏽", "❤️", "❤", "👨‍👩‍👧‍👦", "🇮🇳", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "©", ""])
      expect(isEmoji(emoji), emoji).toBe(true)
    for (const text of ["a", "1", "#", "👍👍", "👍 ", " 👍", "ok", "<b>", "\u0000", "é", "你"])
      expect(isEmoji(text), text).toBe(false)
    fc.assert(fc.property(fc.stringMatching(/^[\p{L}\p{N} ]+$/u), (text) => !isEmoji(text)))
  })

  it("goes to a contact's id, or to a number in the canonical form of its contact", () => {
    expect(sendTo("cnt_01KAJ3")).toEqual({ contactId: "cnt_01KAJ3" })
    expect(sendTo("+55 11 8765-4321")).toEqual({ phone: "+5511987654321" })
    expect(sendTo("+5215512345678")).toEqual({ phone: "+525512345678" })
  })
})
