/** What is said at once over the link, and what waits so that it wakes nobody up by itself. */
import { describe, expect, it } from "vitest"
import { CallAudio } from "../../../../../src/actors/voice/sound/CallAudio.ts"
import { type LinkedSound, MindEnd } from "../../../../../src/actors/voice/sound/link/MindEnd.ts"
import { SoundEnd } from "../../../../../src/actors/voice/sound/link/SoundEnd.ts"
import { agentOf } from "../../../../support/agent.ts"

const bytesPerMs = 8

/** One of two ends: what it is to do in this turn of the event loop, and later. */
const turns = (time: { readonly now: number }) => {
  const tasks: Array<() => void> = []
  let late: Array<{ readonly run: () => void; readonly ms: number }> = []
  return {
    options: {
      now: () => time.now,
      schedule: (run: () => void) => void tasks.push(run),
      later: (run: () => void, ms: number) => void late.push({ run, ms })
    },
    run: () => {
      for (const task of tasks.splice(0)) task()
    },
    /** So many milliseconds have passed. */
    pass: (passed: number) => {
      const due = late.filter(({ ms }) => ms <= passed)
      late = late.filter(({ ms }) => ms > passed)
      for (const { run } of due) run()
    }
  }
}

/** A call over a link. Each batch is what one side has said together, by the tags of its messages. */
const linked = () => {
  const time = { now: 1_000 }
  const [ofSound, ofMind] = [turns(time), turns(time)]
  const toMind: Array<Uint8Array> = []
  const toSound: Array<Uint8Array> = []
  const heard: Array<string> = []
  const sounds: Array<LinkedSound> = []
  const end = new SoundEnd({
    ...ofSound.options,
    id: "sound",
    write: (batch) => toMind.push(batch) > 0,
    onError: (_, error) => {
      throw error
    }
  })
  const mind = new MindEnd({
    ...ofMind.options,
    id: "mind",
    write: (batch) => toSound.push(batch) > 0,
    claimed: (_, sound) => {
      sounds.push(sound)
      return {
        tell: ({ _tag }) => void heard.push(_tag),
        sink: {
          hear: (audio) => void heard.push(`speech ${audio.length / bytesPerMs}`),
          pause: () => void heard.push("pause")
        },
        lineClosed: () => undefined,
        audioFailed: () => undefined,
        lost: () => undefined
      }
    }
  })
  const ran: Array<string> = []
  const claimed = end.claim({
    callId: "call_1",
    streamSid: "MZ1",
    at: 0,
    make: (tell, sink) => {
      const audio = new CallAudio({
        streamSid: "MZ1",
        line: { send: () => undefined, close: () => undefined },
        agent: agentOf(),
        sink,
        tell,
        now: () => time.now
      })
      const run = audio.run.bind(audio)
      audio.run = (command) => {
        ran.push(command._tag)
        run(command)
      }
      return audio
    }
  })
  const { call } = claimed
  const settle = () => {
    for (let round = 0; round < 6; round++) {
      ofSound.run()
      ofMind.run()
      for (const batch of toMind.splice(0)) mind.receive(batch)
      for (const batch of toSound.splice(0)) end.receive(batch)
    }
  }
  settle()
  ofSound.pass(1_000)
  ofMind.pass(1_000)
  settle()
  const says = (ms: number) => {
    const position = claimed.audio.kept.end
    const speech = new Uint8Array(ms * bytesPerMs)
    claimed.audio.kept.push(speech)
    call.hear(speech, position, false)
  }
  return { call, audio: claimed.audio, sound: sounds[0], says, settle, heard, ran, ofSound, ofMind, time }
}

describe("over the link", () => {
  it("the caller's speech waits for at most 20 ms, and goes with whatever is said before", () => {
    const { call, says, settle, heard, ofSound } = linked()
    says(200)
    settle()
    expect(heard).toEqual([])
    ofSound.pass(20)
    settle()
    expect(heard).toEqual(["speech 200"])
    says(200)
    call.tell({ _tag: "TurnLikely", text: "Hello" })
    settle()
    expect(heard.slice(1)).toEqual(["TurnLikely", "speech 200"])
    // Nothing is left that would wake the mind up.
    ofSound.pass(20)
    settle()
    expect(heard).toHaveLength(3)
  })

  it("a pause of the caller goes at once, behind the speech before it", () => {
    const { call, audio, says, settle, heard } = linked()
    says(260)
    call.pause(audio.kept.end)
    settle()
    expect(heard).toEqual(["speech 200", "speech 60", "pause"])
  })

  it("a plan and a change of the mind wait for at most 20 ms, and go before whatever is said next", () => {
    const { sound, settle, ran, ofMind, call } = linked()
    sound.keep(new Uint8Array([1]), new Uint8Array([2]), 0)
    settle()
    expect(call.canBeTakenOver).toBe(true)
    sound.run({ _tag: "Plan", epoch: 0, clause: 0, text: "Hello there." })
    sound.keepChange(new Uint8Array([3]), 0)
    settle()
    expect(ran).toEqual([])
    ofMind.pass(20)
    settle()
    expect(ran).toEqual(["Plan"])
    sound.run({ _tag: "Plan", epoch: 0, clause: 1, text: "How are you?" })
    sound.run({ _tag: "Silence", epoch: 0 })
    settle()
    expect(ran).toEqual(["Plan", "Plan", "Silence"])
  })

  it("a change of the mind that somebody waits for goes at once", () => {
    const { sound, settle } = linked()
    let kept = 0
    sound.keepChange(new Uint8Array([3]), 0, () => kept++)
    settle()
    expect(kept).toBe(1)
  })

  it("the agent's sound goes at once while little is left to play, and waits behind enough of it", () => {
    const { sound, settle, ran, time } = linked()
    const ms400 = { _tag: "Sound", epoch: 0, clause: 0, audio: new Uint8Array(400 * bytesPerMs) } as const
    sound.run({ _tag: "Plan", epoch: 0, clause: 0, text: "Hello there." })
    sound.run(ms400)
    settle()
    expect(ran).toEqual(["Plan", "Sound"])
    sound.run(ms400)
    settle()
    expect(ran).toHaveLength(2)
    sound.run({ _tag: "Commit", epoch: 0 })
    settle()
    expect(ran.slice(2)).toEqual(["Sound", "Commit"])
    // Of 800 ms less than 200 may be left.
    time.now += 610
    sound.run(ms400)
    settle()
    expect(ran.slice(4)).toEqual(["Sound"])
  })

  it("the agent's next sound goes at once when the rest of what it said was dropped", () => {
    const { sound, settle, ran, call } = linked()
    const heard = { epoch: 1, seen: 3, clauses: 0, text: "", startMs: 0, endMs: 0 }
    const second = (epoch: number) =>
      sound.run({ _tag: "Sound", epoch, clause: epoch, audio: new Uint8Array(1_000 * bytesPerMs) })
    second(0)
    sound.run({ _tag: "Silence", epoch: 0 })
    second(1)
    settle()
    expect(ran).toEqual(["Sound", "Silence", "Sound"])
    call.tell({ _tag: "BargedIn", heard, meant: true })
    settle()
    second(2)
    settle()
    expect(ran).toHaveLength(4)
  })
})
