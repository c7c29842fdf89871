import * as fc from "fast-check"
import twilio from "twilio"
import { assert, describe, it } from "vitest"
import { sign } from "../../../simulators/telephone/Signature.ts"

const token = "12345abcde67890fghij12345abcde67"

describe("the telephone network's signature", () => {
  it("is the provider's for a known webhook and a known stream", () => {
    const params = {
      AccountSid: "AC0123456789abcdef0123456789abcdef",
      ApiVersion: "2010-04-01",
      CallSid: "CA0123456789abcdef0123456789abcdef",
      CallStatus: "ringing",
      Direction: "inbound",
      From: "+919812345678",
      To: "+14155550123"
    }
    const url = "https://app.example.test/api/webhooks/telephony/voice?src=pstn"
    assert.strictEqual(sign(token, url, params), "q3y7C+HcuFZDKZOyOPB3apTdEbY=")
    assert.strictEqual(sign(token, "wss://engine.example.test/twilio/media"), "Wnf24oLaHf5kUZJw+0Iazz9gxOQ=")
  })

  it("is accepted by the provider's own library, whatever the form says", () => {
    const url = "https://app.example.test/voice"
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[A-Za-z_]{1,8}$/), fc.string({ unit: "grapheme" })), (params) => {
        assert.isTrue(twilio.validateRequest(token, sign(token, url, params), url, params))
      })
    )
  })
})
