import { assert, describe, it } from "@effect/vitest"
import twilio from "twilio"
import {
  connectStream,
  dial,
  enqueue,
  hangUp,
  reject,
  sayAndHangUp
} from "../../../../../src/domain/voice/telephony/twilio/Twiml.ts"

const { VoiceResponse } = twilio.twiml

describe("call instructions", () => {
  it("are the documents the provider's own library writes", () => {
    const connect = new VoiceResponse()
    const stream = connect
      .connect({ action: "https://a.test/c?x=1&y=2", method: "POST" })
      .stream({ url: "wss://e.test/m" })
    stream.parameter({ name: "callId", value: "call_1" })
    const made = connectStream({
      action: "https://a.test/c?x=1&y=2",
      url: "wss://e.test/m",
      parameters: { callId: "call_1" }
    })
    assert.strictEqual(made, connect.toString())

    const say = new VoiceResponse()
    say.say("Goodbye.")
    say.hangup()
    assert.strictEqual(sayAndHangUp("Goodbye."), say.toString())

    const busy = new VoiceResponse()
    busy.reject({ reason: "busy" })
    assert.strictEqual(reject("busy"), busy.toString())

    const number = new VoiceResponse()
    number.dial({ callerId: "+14155550123", timeout: 20 }).number("+919812345678")
    assert.strictEqual(dial("+919812345678", { callerId: "+14155550123", timeoutSeconds: 20 }), number.toString())
    const sip = new VoiceResponse()
    sip.dial().sip("sip:desk@pbx.test")
    assert.strictEqual(dial("sip:desk@pbx.test"), sip.toString())

    const queue = new VoiceResponse()
    queue.enqueue({ waitUrl: "https://a.test/wait" }, "support")
    assert.strictEqual(enqueue("support", { waitUrl: "https://a.test/wait" }), queue.toString())
    assert.include(hangUp(), "<Response><Hangup/></Response>")
  })

  it("escape every text, so that it cannot add markup", () => {
    const evil = `</Say><Dial>+1900</Dial>"'&\u0000\ud800 नमस्ते 😀`
    const made = sayAndHangUp(evil)
    assert.notInclude(made, "<Dial>")
    assert.include(made, "&lt;/Say&gt;&lt;Dial&gt;+1900&lt;/Dial&gt;&quot;&apos;&amp; नमस्ते 😀</Say>")
  })
})
