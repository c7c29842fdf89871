import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  calledNumber,
  contactPhone,
  isWritten,
  notationsOf,
  toE164,
  writtenForms
} from "../../../src/domain/basics/Phone.ts"

describe("phone numbers", () => {
  it("what people write with a country code becomes E.164", () => {
    for (const written of ["+14155550123", "+1 (415) 555-0123", " +1-415-555-0123 ", "tel:+14155550123"])
      assert.strictEqual(toE164(written), "+14155550123", written)
    assert.strictEqual(toE164("+91 98765 43210"), "+919876543210")
  })

  it("a text that is not a number with a country code is refused", () => {
    for (const written of [
      "",
      "anonymous",
      "Restricted",
      "4155550123",
      "+1",
      "+1415555012345678",
      "+1 415 555 0123 ext. 5",
      "12345"
    ])
      assert.isUndefined(toE164(written), written)
  })

  it("reading a number again gives the same result, at once and after ten thousand others", () => {
    const written = (n: number) => `+1 415 ${String(5_550_000 + n)}`
    const [first, none] = [toE164(written(0)), toE164("+1 415 555 0123 ext. 5")]
    for (let round = 0; round < 2; round++)
      for (let n = 0; n < 10_000; n++) assert.strictEqual(toE164(written(n)), `+1415${5_550_000 + n}`)
    assert.strictEqual(toE164(written(0)), first)
    assert.strictEqual(toE164("+1 415 555 0123 ext. 5"), none)
  })

  it("has the notations that people use elsewhere, and each of them is known again as this number and no other", () => {
    assert.includeMembers(
      [...notationsOf("+14155550101")],
      ["14155550101", "+1 415 555 0101", "(415) 555-0101", "415-555-0101", "4155550101"]
    )
    const digits = fc.integer({ min: 2_000_000_000, max: 9_899_999_999 })
    fc.assert(
      fc.property(digits, digits, (one, other) => {
        for (const written of notationsOf(`+1${one}`)) {
          assert.isTrue(isWritten(written, `+1${one}`), written)
          assert.strictEqual(isWritten(written, `+1${other}`), one === other)
        }
      })
    )
    assert.isTrue(isWritten("098765 43210", "+919876543210"))
    assert.isTrue(isWritten("0091 98765 43210", "+919876543210"))
    assert.isFalse(isWritten("+1 98765 43210", "+919876543210"))
  })

  it("every form in which a network writes a contact's number gives that number", () => {
    const forms = {
      "+14155550123": ["+14155550123"],
      "+525512345678": ["+525512345678", "+5215512345678"],
      "+5511987654321": ["+5511987654321", "+551187654321"],
      "+551133334444": ["+551133334444"]
    }
    for (const [phone, written] of Object.entries(forms)) {
      assert.deepStrictEqual(writtenForms(phone), written)
      for (const form of written) assert.strictEqual(contactPhone(form), phone)
    }
  })

  it("the called number is found in E.164 and in every form of a sip address", () => {
    const forms = [
      "+14155550123",
      "sip:+14155550123@example.sip.twilio.com",
      "sips:+14155550123@example.com:5061;transport=tls",
      "SIP:%2B14155550123@example.com",
      "sip:14155550123@example.com",
      "<sip:+14155550123@example.com;user=phone>",
      '"Front desk" <sip:+14155550123@10.0.0.1>;tag=abc'
    ]
    for (const form of forms) assert.strictEqual(calledNumber(form), "+14155550123", form)
  })

  it("a sip address of a person or an extension is no number", () => {
    for (const form of [
      "sip:alice@example.com",
      "sip:1001@example.com",
      "sip:@example.com",
      "sip:",
      "client:alice",
      "whatsapp:"
    ])
      assert.isUndefined(calledNumber(form), form)
  })

  it("any text gives E.164 or nothing, and E.164 stays what it is", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^\+?[0-9 ()-]{1,20}$/)), (text) => {
        const number = calledNumber(text)
        if (number === undefined) return
        assert.match(number, /^\+[1-9]\d{4,14}$/)
        assert.strictEqual(toE164(number), number)
      })
    )
  })

  it("a text of more than 250 characters is no number, whatever it becomes without its blanks", () => {
    assert.strictEqual(toE164(`+521 ${" ".repeat(200)}5512345678`), "+525512345678")
    assert.isUndefined(toE164(`+521 ${" ".repeat(300)}5512345678`))
  })
})
