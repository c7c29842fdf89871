import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { canonicalPhone, contactPhone } from "../../../../src/domain/basics/Phone.ts"
import { replyWindow } from "../../../../src/domain/messaging/conversations/Conversation.ts"
import { phoneDigits, searchable, tidy } from "../../../../src/domain/people/contacts/Contact.ts"

const digits = (length: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length }).map((all) => all.join(""))

describe("the number of a contact", () => {
  it.each([
    ["+1 (415) 555-0123", "+14155550123"],
    ["+521 55 1234 5678", "+525512345678"],
    ["+52 55 1234 5678", "+525512345678"],
    ["+55 11 8765-4321", "+5511987654321"],
    ["+55 11 98765-4321", "+5511987654321"],
    // A landline has no ninth digit.
    ["+55 11 3765-4321", "+551137654321"],
    ["+49 30 901820", "+4930901820"]
  ])("%s is kept as %s", (typed, kept) => {
    assert.strictEqual(contactPhone(typed), kept)
  })

  it.each([
    "",
    "12345",
    "0415 555 0123",
    "+1",
    "+999 123",
    "anonymous",
    "+1415555012312345",
    "+1 415 555 0123 ext. 7"
  ])("%j is refused", (typed) => assert.isUndefined(contactPhone(typed)))

  it("both spellings of a Mexican or Brazilian mobile give one number, and a canonical one stays as it is", () => {
    const mexican = fc.tuple(fc.integer({ min: 2, max: 9 }), digits(9)).map(([first, rest]) => `${first}${rest}`)
    const brazilian = fc
      .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }), fc.integer({ min: 6, max: 9 }), digits(7))
      .map(([a, b, first, rest]) => ({ area: `${a}${b}`, local: `${first}${rest}` }))
    fc.assert(
      fc.property(mexican, brazilian, (local, { area, local: mobile }) => {
        assert.strictEqual(contactPhone(`+521${local}`), `+52${local}`)
        assert.strictEqual(contactPhone(`+52${local}`), `+52${local}`)
        const canonical = canonicalPhone(`+55${area}${mobile}`)
        assert.strictEqual(canonical, `+55${area}9${mobile}`)
        assert.strictEqual(canonicalPhone(canonical), canonical)
      })
    )
  })
})

describe("what people type", () => {
  it("is trimmed, has each tag once, and gets no field that was not given", () => {
    assert.deepStrictEqual(tidy({ phone: "+1 415 555 0123", name: " Asha ", tags: ["vip", " vip", "new"] }), {
      phone: "+14155550123",
      name: "Asha",
      tags: ["vip", "new"]
    })
    assert.deepStrictEqual(tidy({ name: null }), { name: null })
  })

  it("is found whatever its case, its accents or the grouping of a number", () => {
    assert.strictEqual(searchable("JOSÉ  Ñandú"), "jose nandu")
    assert.strictEqual(searchable("कविता"), searchable("कविता"))
    assert.strictEqual(phoneDigits("+1 (415) 555"), "1415555")
    assert.isUndefined(phoneDigits("415 main street"))
    assert.isUndefined(phoneDigits("+"))
  })
})

describe("the window in which free text reaches a contact", () => {
  const wrote = Date.parse("2026-11-21T10:00:00.000Z")

  it("is open for 24 hours after the contact last wrote", () => {
    const expiresAt = "2026-11-22T10:00:00.000Z"
    assert.deepStrictEqual(replyWindow("messaging", wrote, wrote + 86_399_999), { open: true, expiresAt })
    assert.deepStrictEqual(replyWindow("messaging", wrote, wrote + 86_400_000), { open: false, expiresAt })
  })

  it("is closed for a contact who never wrote, and does not exist on other channels", () => {
    assert.deepStrictEqual(replyWindow("messaging", null, wrote), { open: false, expiresAt: null })
    assert.isNull(replyWindow("voice", wrote, wrote))
  })
})
