/** The process of the sound accepts a stream that an engine has told to come, once, and no other. */
import { createHash } from "node:crypto"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Reserve } from "../../../../../src/actors/voice/sound/link/SoundProtocol.ts"
import { mostReservedStreams, ReservedStreams } from "../../../../../src/actors/voice/sound/media/ReservedStreams.ts"
import {
  streamSignatures,
  twilioSignature,
  validateStream
} from "../../../../../src/domain/voice/telephony/twilio/TwilioSignature.ts"
import { agentOf } from "../../../../support/agent.ts"

const url = "wss://voice.example.test/media"
const reserve = (changes: Partial<Reserve> = {}): Reserve => ({
  _tag: "Reserve",
  callId: "call_1",
  tokenHash: createHash("sha256").update("token").digest(),
  goodForMs: 20_000,
  accountSid: "AC1",
  callSid: "CA1",
  signatures: streamSignatures(url, "secret"),
  agent: agentOf(),
  ambience: false,
  elapsedMs: 0,
  recording: "",
  ...changes
})
const start = {
  streamSid: "MZ1",
  accountSid: "AC1",
  callSid: "CA1",
  callId: "call_1",
  token: "token",
  upgradeSignature: twilioSignature("secret", url, {})
}
const streams = (changes: Partial<Reserve> = {}) => {
  const all = new ReservedStreams()
  all.add(reserve(changes), 1_000)
  return all
}

describe("a stream that comes to the process of the sound", () => {
  it("is accepted once, when it is the one that the engine has told to come", () => {
    const all = streams()
    expect(all.claim(start, 2_000)).toMatchObject({ callId: "call_1" })
    expect(all.claim(start, 2_000)).toBe("unknown_call")
  })

  it.each([
    ["another call", "unknown_call", { callId: "call_2" }],
    ["another token", "bad_token", { token: "other" }],
    ["another account", "foreign_call", { accountSid: "AC2" }],
    ["another call of the provider", "foreign_call", { callSid: "CA2" }],
    ["another signature", "bad_signature", { upgradeSignature: twilioSignature("other", url, {}) }],
    ["no signature", "bad_signature", { upgradeSignature: "" }]
  ])("is refused with %s, and leaves the right one its place", (_, reason, changes) => {
    const all = streams()
    expect(all.claim({ ...start, ...changes }, 2_000)).toBe(reason)
    expect(all.claim(start, 2_000)).toMatchObject({ callId: "call_1" })
  })

  it("is refused when it comes too late, or was cancelled", () => {
    expect(streams().claim(start, 21_001)).toBe("unknown_call")
    const cancelled = streams()
    cancelled.cancel("call_1")
    expect(cancelled.claim(start, 2_000)).toBe("unknown_call")
  })

  it("has had its place taken when very many others were told after it, and none of them came", () => {
    const all = streams({ goodForMs: 60_000 })
    for (let n = 0; n < mostReservedStreams; n++)
      all.add(reserve({ callId: `call_other_${n}`, goodForMs: 60_000 }), 1_000)
    expect(all.size).toBe(mostReservedStreams)
    expect(all.claim(start, 2_000)).toBe("unknown_call")
    expect(all.claim({ ...start, callId: "call_other_0" }, 2_000)).toMatchObject({ callId: "call_other_0" })
    // Of those whose time is over there is no need to keep any.
    for (let n = 0; n < 2; n++) all.add(reserve({ callId: `call_late_${n}` }), 70_000)
    expect(all.size).toBe(2)
  })

  it("of a test call needs no signature of a provider", () => {
    const own = { ...start, accountSid: "", callSid: "", upgradeSignature: "" }
    expect(streams({ signatures: [] }).claim(own, 2_000)).toMatchObject({ callId: "call_1" })
  })

  it("may be signed in every spelling of its address that the engine itself accepts", () => {
    const address = fc.constantFrom(
      url,
      `${url}/`,
      "wss://voice.example.test:443/media",
      "wss://voice.example.test:8443/media"
    )
    fc.assert(
      fc.property(address, address, (ours, theirs) => {
        const signature = twilioSignature("secret", theirs, {})
        expect(streamSignatures(ours, "secret").includes(signature)).toBe(validateStream(ours, "secret", signature))
      })
    )
  })
})
