/** What both sides of a call hear crosses the link while people listen, and never piles up. */
import { describe, expect, it } from "vitest"
import { CallAudio } from "../../../../../src/actors/voice/sound/CallAudio.ts"
import { type LinkedSound, MindEnd } from "../../../../../src/actors/voice/sound/link/MindEnd.ts"
import { SoundEnd } from "../../../../../src/actors/voice/sound/link/SoundEnd.ts"
import { FRAME_BYTES } from "../../../../../src/audio/frames/Frame.ts"
import { agentOf } from "../../../../support/agent.ts"

/** A call over a link whose pipe takes nothing while `stalled`. */
const makeCall = () => {
  let now = 1_000
  let stalled = false
  const tasks: Array<() => void> = []
  const schedule = (run: () => void) => void tasks.push(run)
  const runTasks = () => {
    while (tasks.length > 0) for (const task of tasks.splice(0)) task()
  }
  const heard: Array<number> = []
  const events: Array<string> = []
  let sound: LinkedSound | undefined
  const mindEnd: MindEnd = new MindEnd({
    write: (batch) => {
      schedule(() => soundEnd.receive(batch.slice()))
      return true
    },
    schedule,
    later: schedule,
    id: "mind",
    now: () => now,
    claimed: (_, linked) => {
      sound = linked
      return {
        tell: ({ _tag }) => void events.push(_tag),
        sink: { hear: () => undefined, pause: () => undefined, monitor: (_both, caller) => void heard.push(caller[0]) },
        lineClosed: () => undefined,
        lost: () => undefined,
        audioFailed: () => expect.unreachable("the audio failed")
      }
    }
  })
  const soundEnd: SoundEnd = new SoundEnd({
    write: (batch) => {
      mindEnd.receive(batch.slice())
      return !stalled
    },
    schedule,
    later: schedule,
    id: "sound",
    now: () => now,
    onError: (_, error) => expect.unreachable(String(error)),
    onOverflow: () => expect.unreachable("the mind is given up")
  })
  runTasks()
  const { audio } = soundEnd.claim({
    callId: "call_1",
    streamSid: "MZ1",
    at: now,
    make: (tell, sink) =>
      new CallAudio({
        streamSid: "MZ1",
        agent: agentOf(),
        line: { send: () => undefined, close: () => undefined },
        now: () => now,
        tell,
        sink
      })
  })
  runTasks()
  let frames = 0
  const run = (ticks: number) => {
    for (let tick = 0; tick < ticks; tick++) {
      audio.media(new Uint8Array(FRAME_BYTES).fill(frames % 100), frames * 20)
      frames++
      audio.tick(now)
      now += 20
      runTasks()
    }
  }
  return {
    run,
    heard,
    events,
    frames: () => frames,
    command: (on: boolean) => {
      sound?.run({ _tag: "Listen", on })
      runTasks()
    },
    stall: (on: boolean) => {
      stalled = on
      if (!on) soundEnd.drained()
      runTasks()
    }
  }
}

describe("what both sides hear", () => {
  it("crosses the link in order while somebody listens, and not otherwise", () => {
    const { run, heard, command } = makeCall()
    run(20)
    expect(heard).toEqual([])
    command(true)
    run(20)
    const spoken = heard.filter((byte) => byte !== 0xff)
    expect(spoken.length).toBeGreaterThanOrEqual(16)
    expect(spoken).toEqual(spoken.map((_, index) => spoken[0] + index))
    const before = heard.length
    command(false)
    run(20)
    expect(heard.length - before).toBeLessThanOrEqual(2)
  })

  it("is lost but for the newest 300 ms while the mind takes nothing, and does not end the link", () => {
    const { run, heard, command, stall, frames } = makeCall()
    command(true)
    run(10)
    stall(true)
    run(200)
    const before = heard.length
    stall(false)
    run(2)
    const late = heard.slice(before)
    expect(late.length).toBeLessThanOrEqual(18)
    // At most 100 ms older than what the caller says now, counting the wait for its turn.
    expect(frames() % 100).toBeGreaterThan(late.at(-1) ?? Number.POSITIVE_INFINITY)
    expect((frames() % 100) - (late.at(-1) ?? 0)).toBeLessThanOrEqual(6)
  })
})
