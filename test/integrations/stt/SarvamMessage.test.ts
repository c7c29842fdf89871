import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { parseSarvamMessage } from "../../../src/integrations/stt/SarvamMessage.ts"

const parse = (message: unknown) => parseSarvamMessage(JSON.stringify(message))

describe("parseSarvamMessage", () => {
  it("reads a transcript, with or without a language", () => {
    const data = { request_id: "x", transcript: " क्या कीमत है ", language_code: "hi-IN", metrics: {} }
    const transcript = { _tag: "Final", text: "क्या कीमत है", language: "hi-IN" } as const
    assert.deepEqual(parse({ type: "data", data }), { _tag: "Transcript", transcript })
    const bare = { _tag: "Final", text: "", language: undefined } as const
    assert.deepEqual(parse({ type: "data", data: { transcript: "" } }), { _tag: "Transcript", transcript: bare })
  })

  it("reads an error in each of its known shapes", () => {
    const expected = { _tag: "Error", message: "Quota", code: "insufficient_quota_error" } as const
    const code = "insufficient_quota_error"
    assert.deepEqual(parse({ type: "error", data: { error: "Quota", code } }), expected)
    assert.deepEqual(parse({ type: "error", data: { message: "Quota", code } }), expected)
    assert.deepEqual(parse({ error: { message: "Quota", code } }), expected)
    assert.deepEqual(parse({ type: "error" }), { _tag: "Error", message: "no explanation given", code: "" })
  })

  it("never throws, whatever the provider sends", () => {
    fc.assert(fc.property(fc.string(), (raw) => assert.isString(parseSarvamMessage(raw)._tag)))
    const names = fc.constantFrom("type", "data", "error", "message", "transcript", "signal_type", "code")
    const value = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom("data", "events", "error", "x", 1, null),
        tie("object"),
        fc.array(tie("node"))
      ),
      object: fc.dictionary(names, tie("node"))
    })).object
    fc.assert(fc.property(value, (message) => assert.isString(parse(message)._tag)))
  })
})
