/** What the link of a call tells of the caller's speech, and what is kept of its mind. */
import { describe, expect, it } from "vitest"
import { CallAudio } from "../../../../../src/actors/voice/sound/CallAudio.ts"
import { LinkedCall } from "../../../../../src/actors/voice/sound/link/LinkedCall.ts"
import type { ToMind } from "../../../../../src/actors/voice/sound/link/SoundProtocol.ts"
import { agentOf } from "../../../../support/agent.ts"

const bytesPerMs = 8

const speaking = () => {
  const call = new LinkedCall(1, "call_1", "MZ1")
  const audio = new CallAudio({
    streamSid: "MZ1",
    line: { send: () => undefined, close: () => undefined },
    agent: agentOf(),
    sink: call,
    tell: call.tell,
    now: () => 0
  })
  const says = (ms: number) => {
    const speech = new Uint8Array(ms * bytesPerMs)
    const position = audio.kept.end
    audio.kept.push(speech)
    call.hear(speech, position, false)
  }
  const told = () => {
    const all: Array<ToMind> = []
    call.fillSpeech(audio, (message) => all.push(message) > 0)
    return all.map((message) =>
      message._tag === "Speech" ? [message.position / bytesPerMs, message.audio.length / bytesPerMs] : message._tag
    )
  }
  return { call, audio, says, told }
}

describe("what is kept of the mind", () => {
  const bytes = (count: number) => new Uint8Array(count).fill(count % 256)

  it("is the state and what has changed since, or a new state", () => {
    const { call, audio } = speaking()
    call.keep(bytes(1), bytes(2), 0)
    call.keepChange(bytes(3), 0)
    call.keepChange(bytes(0), 0)
    expect(call.handOver(audio)).toMatchObject({ base: bytes(1), state: Buffer.from([2, 2, 3, 3, 3]) })
    call.keep(bytes(0), bytes(4), 0)
    expect(call.handOver(audio)).toMatchObject({ base: bytes(1), state: Buffer.from(bytes(4)) })
  })

  it("is given up when it is too large with what has changed, until there is a state again", () => {
    const { call } = speaking()
    call.keep(bytes(1_000), bytes(250_000), 0)
    call.keepChange(bytes(5_000), 0)
    expect(call.canBeTakenOver).toBe(true)
    call.keepChange(bytes(10_000), 0)
    call.keepChange(bytes(1), 0)
    expect(call.canBeTakenOver).toBe(false)
    call.keep(bytes(0), bytes(2), 0)
    expect(call.canBeTakenOver).toBe(true)
  })
})

describe("the caller's speech over the link", () => {
  it("is told in pieces of 200 ms, and to its end before a pause", () => {
    const { call, audio, says, told } = speaking()
    says(500)
    expect(told()).toEqual([
      [0, 200],
      [200, 200]
    ])
    call.pause(audio.kept.end)
    expect(told()).toEqual([[400, 100], "Paused"])
  })

  it("is told to its end again when the mind asks for it after the pause was told", () => {
    const { call, audio, says, told } = speaking()
    says(500)
    call.pause(audio.kept.end)
    told()
    audio.run({ _tag: "Replay", from: 0 })
    expect(told()).toEqual([
      [0, 200],
      [200, 200],
      [400, 100]
    ])
    expect(told()).toEqual([])
  })
})
