import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import twilio from "twilio"
import {
  twilioSignature,
  validateStream,
  verifyTwilioSignature
} from "../../../../../src/domain/voice/telephony/twilio/TwilioSignature.ts"

const token = "12345abcde67890fghij12345abcde67"
const fields = {
  AccountSid: "AC0123456789abcdef0123456789abcdef",
  CallSid: "CA0123456789abcdef0123456789abcdef",
  CallStatus: "ringing",
  Direction: "inbound",
  From: "+919812345678",
  To: "+14155550123",
  ApiVersion: "2010-04-01"
}

describe("the telephony provider's signature", () => {
  it("matches the published test vector", () => {
    const url = "https://app.example.test/api/webhooks/telephony/voice?src=pstn"
    assert.strictEqual(twilioSignature(token, url, fields), "q3y7C+HcuFZDKZOyOPB3apTdEbY=")
    assert.isTrue(verifyTwilioSignature(token, "q3y7C+HcuFZDKZOyOPB3apTdEbY=", url, fields))
    assert.isTrue(validateStream("wss://engine.example.test/twilio/media", token, "Wnf24oLaHf5kUZJw+0Iazz9gxOQ="))
  })

  it("is judged as the provider's own library judges it, for every spelling of the URL", () => {
    const host = fc.constantFrom("app.example.test", "user:pw@app.example.test", "[2001:db8::1]", "APP.example.test")
    const port = fc.constantFrom("", ":443", ":80", ":8443")
    const rest = fc.constantFrom(
      "/voice",
      "/voice?a=1",
      "/voice?q=it's",
      "/voice?q=a b&r=%27",
      "/a%20b?x=%C3%A9",
      "?x=1",
      ""
    )
    const url = fc.tuple(fc.constantFrom("https://", "http://"), host, port, rest).map((parts) => parts.join(""))
    const form = fc.dictionary(
      fc.string(),
      fc.oneof(fc.string(), fc.array(fc.string(), { minLength: 2, maxLength: 3 }))
    )
    fc.assert(
      fc.property(url, url, form, (signed, received, params) => {
        const own = { ...params }
        const signature = twilio.getExpectedTwilioSignature(token, signed, own)
        for (const at of [signed, received])
          assert.strictEqual(
            verifyTwilioSignature(token, signature, at, own),
            twilio.validateRequest(token, signature, at, own),
            `${signed} received as ${at}`
          )
      }),
      { numRuns: 300 }
    )
  })

  it("fails for a missing signature, another token, a changed field and a changed path", () => {
    const url = "https://app.example.test/voice"
    const good = twilioSignature(token, url, fields)
    assert.isFalse(verifyTwilioSignature(token, undefined, url, fields))
    assert.isFalse(verifyTwilioSignature(token, "", url, fields))
    assert.isFalse(verifyTwilioSignature("other", good, url, fields))
    assert.isFalse(verifyTwilioSignature(token, good, url, { ...fields, To: "+1" }))
    assert.isFalse(verifyTwilioSignature(token, good, `${url}/continue`, fields))
  })

  it("of a stream is also valid for a URL to which a slash was added on the way", () => {
    const signature = twilioSignature(token, "wss://engine.example.test/", {})
    assert.isTrue(validateStream("wss://engine.example.test", token, signature))
    assert.isFalse(validateStream("wss://engine.example.test/other", token, signature))
  })
})
