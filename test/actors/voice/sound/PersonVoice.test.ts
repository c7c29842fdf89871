/** A person who talks in a call in the agent's place, frame by frame, on a test clock. */
import { describe, expect, it } from "vitest"
import { CallAudio } from "../../../../src/actors/voice/sound/CallAudio.ts"
import type { SoundEvent } from "../../../../src/actors/voice/sound/CallSound.ts"
import { personGoneMs } from "../../../../src/actors/voice/sound/PersonVoice.ts"
import { FRAME_BYTES } from "../../../../src/audio/frames/Frame.ts"
import { agentOf } from "../../../support/agent.ts"

const frame = (byte: number) => new Uint8Array(FRAME_BYTES).fill(byte)

const makeCall = () => {
  let nowMs = 1_000
  const sent: Array<{ readonly atMs: number; readonly byte: number }> = []
  const events: Array<SoundEvent["_tag"]> = []
  const recorded: Array<number> = []
  const audio = new CallAudio({
    streamSid: "MZ1",
    agent: agentOf(),
    sink: { hear: () => undefined, pause: () => undefined },
    tell: ({ _tag }) => void events.push(_tag),
    now: () => nowMs,
    recorder: {
      caller: () => undefined,
      agent: (mulaw) => void recorded.push(mulaw[0]),
      agentStopped: () => undefined,
      end: () => undefined
    },
    line: {
      close: () => undefined,
      send: (bytes) => {
        const { media } = JSON.parse(Buffer.from(bytes).toString()) as { media: { payload: string } }
        sent.push({ atMs: nowMs, byte: Buffer.from(media.payload, "base64")[0] })
      }
    }
  })
  /** Ticks of 20 ms; `say` is what the person's microphone gives in each. */
  const run = (ticks: number, say: (tick: number) => ReadonlyArray<Uint8Array> = () => []) => {
    for (let tick = 0; tick < ticks; tick++) {
      for (const one of say(tick)) audio.run({ _tag: "PersonFrame", audio: one })
      audio.tick(nowMs)
      nowMs += 20
    }
  }
  return { audio, run, sent, events, recorded }
}

describe("the voice of a person in a call", () => {
  it("reaches the caller in order and at its pace, and is recorded on the agent's side", () => {
    const { audio, run, sent, recorded } = makeCall()
    run(5, () => [frame(9)])
    expect(sent).toEqual([])
    audio.run({ _tag: "Person", on: true })
    run(20, (tick) => [frame(tick)])
    expect(sent.map(({ byte }) => byte)).toEqual(Array.from({ length: 20 }, (_, index) => index))
    // 60 ms wait before it begins, and go out together.
    expect(sent.slice(0, 4).map(({ atMs }) => atMs - sent[0].atMs)).toEqual([0, 0, 0, 20])
    expect(recorded).toEqual(sent.map(({ byte }) => byte))
    audio.run({ _tag: "Person", on: false })
    run(5, () => [frame(9)])
    expect(sent).toHaveLength(20)
  })

  it("that comes in a burst is cut to what is new", () => {
    const { audio, run, sent } = makeCall()
    audio.run({ _tag: "Person", on: true })
    run(1, () => Array.from({ length: 100 }, (_, index) => frame(index)))
    run(20)
    expect(sent.map(({ byte }) => byte)).toEqual(Array.from({ length: 10 }, (_, index) => 90 + index))
  })

  it("is missed after three seconds without a frame, once, and then the agent may speak", () => {
    const { audio, run, events, sent } = makeCall()
    audio.run({ _tag: "Person", on: true })
    run(10, () => [frame(1)])
    run(personGoneMs / 20 - 2)
    expect(events).toEqual([])
    run(200)
    expect(events).toEqual(["PersonLost"])
    const before = sent.length
    audio.run({ _tag: "Plan", epoch: 0, clause: 0, text: "Back.", line: "interruptible" })
    audio.run({ _tag: "Sound", epoch: 0, clause: 0, audio: new Uint8Array(FRAME_BYTES).fill(5) })
    expect(sent[before]?.byte).toBe(5)
  })
})
