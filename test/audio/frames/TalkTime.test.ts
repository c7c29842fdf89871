import { describe, expect, it } from "vitest"
import { TalkTime } from "../../../src/audio/frames/TalkTime.ts"

describe("TalkTime", () => {
  it("is zero for a call in which nobody spoke", () => {
    expect(new TalkTime()).toMatchObject({ agentMs: 0, callerMs: 0 })
  })

  it("does not count speech that the caller's interruption kept from being heard", () => {
    const talk = new TalkTime()
    for (let i = 0; i < 50; i++) talk.agentSent()
    talk.agentCleared(100)
    for (let i = 0; i < 15; i++) talk.callerVoiced()
    expect([talk.agentMs, talk.callerMs]).toEqual([900, 300])
  })

  it("never falls below zero, whatever is taken back", () => {
    const talk = new TalkTime()
    talk.agentSent()
    talk.agentCleared(-50)
    expect(talk.agentMs).toBe(20)
    talk.agentCleared(500)
    expect(talk.agentMs).toBe(0)
  })
})
