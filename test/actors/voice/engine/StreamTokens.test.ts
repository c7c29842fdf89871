import { describe, expect, it } from "vitest"
import * as StreamTokens from "../../../../src/actors/voice/engine/StreamTokens.ts"

const at = 1_700_000_000_999

describe("tokens of media streams", () => {
  let now = at
  const tokens = StreamTokens.make("secret", () => now)
  const accepted = (issued: string, brought: string, ms = at) => {
    now = ms
    return tokens.accepts(issued, brought)
  }
  const token = tokens.issue("call_1")

  it("are valid for the minute after the second in which they were issued", () => {
    expect(accepted(token, token)).toBe(true)
    expect(accepted(token, token, 1_700_000_060_000)).toBe(true)
    expect(accepted(token, token, 1_700_000_060_001)).toBe(false)
  })

  it("are valid in another process with the same secret", () => {
    expect(StreamTokens.make("secret", () => at).issue("call_1")).toBe(token)
    expect(StreamTokens.make("another", () => at).issue("call_1")).not.toBe(token)
  })

  it("are invalid for another call, secret or form", () => {
    for (const brought of [tokens.issue("call_2"), "", token.slice(0, -1), "é".repeat(token.length), `9${token}`])
      expect(accepted(token, brought)).toBe(false)
  })
})
