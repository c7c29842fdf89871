import twilio from "twilio"
import { assert, describe, it } from "vitest"
import { parseTwiml, TwimlInvalid } from "../../../simulators/telephone/Twiml.ts"

describe("parseTwiml", () => {
  it("reads what the provider's own library writes", () => {
    const voice = new twilio.twiml.VoiceResponse()
    voice.say({ language: "en-US" }, 'Tom & "Jerry" <3 नमस्ते')
    const stream = voice.connect({ action: "https://a.test/end?x=1&y=2" }).stream({ url: "wss://a.test/media" })
    stream.parameter({ name: "token", value: `a"b'c&<>` })
    voice.hangup()
    const [say, connect, hangup] = parseTwiml(voice.toString())
    assert.deepInclude(say, { name: "Say", text: 'Tom & "Jerry" <3 नमस्ते', attributes: { language: "en-US" } })
    assert.strictEqual(connect.attributes.action, "https://a.test/end?x=1&y=2")
    assert.deepStrictEqual(connect.children[0].children[0].attributes, { name: "token", value: `a"b'c&<>` })
    assert.strictEqual(hangup.name, "Hangup")
  })

  it.each([
    "",
    "{}",
    "<Say>hi</Say>",
    "<Response><Say>hi</Response>",
    "<Response>",
    "<Response><Say>Tom & Jerry</Say></Response>",
    "<Response><Dial timeout=3/></Response>",
    "<Response/><Response/>",
    `<Response><Say>${"x".repeat(70_000)}</Say></Response>`
  ])("refuses %s", (xml) => {
    assert.throws(() => parseTwiml(xml), TwimlInvalid)
  })
})
