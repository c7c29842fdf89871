/** The sound of calls and the engines' links to it, over pipes in memory and a clock that the test moves. */
import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { speak } from "../../../../../simulators/voice/Voice.ts"
import { SoundLinks } from "../../../../../src/actors/voice/engine/SoundLinks.ts"
import type { CallSound, SoundEvent } from "../../../../../src/actors/voice/sound/CallSound.ts"
import type { LinkedSound } from "../../../../../src/actors/voice/sound/link/MindEnd.ts"
import type { Pipe, PipeListener } from "../../../../../src/actors/voice/sound/link/Pipe.ts"
import type { Snapshot } from "../../../../../src/actors/voice/sound/link/SoundProtocol.ts"
import { SoundHost } from "../../../../../src/actors/voice/sound/media/SoundHost.ts"
import { StreamRefused } from "../../../../../src/actors/voice/sound/StreamRefused.ts"
import { encode } from "../../../../../src/audio/frames/Mulaw.ts"
import { agentOf } from "../../../../support/agent.ts"

const turnOfLoop = () => new Promise((resolve) => setImmediate(resolve))

/** An engine and a process with the sound, joined by pipes that can be stopped. */
const world = () => {
  const time = { now: 1_000 }
  const warned: Array<string> = []
  const recordings = new Map<string, { samples: number; closed: boolean }>()
  const host = new SoundHost({
    id: "sound",
    now: () => time.now,
    warn: (sentence) => void warned.push(sentence),
    openRecording: (file) => {
      const recording = { samples: 0, closed: false }
      recordings.set(file, recording)
      return {
        write: (interleaved) => {
          recording.samples += interleaved.length
        },
        flush: async () => undefined,
        close: async () => {
          recording.closed = true
        }
      }
    }
  })
  let stopped = false
  const pipe = (to: () => PipeListener, close: () => void): Pipe => ({
    write: (batch) => {
      if (!stopped) setImmediate(() => to().receive(batch))
      return !stopped
    },
    close
  })
  let disconnect = () => {}
  const snapshots: Array<Snapshot> = []
  const sounds: Array<LinkedSound> = []
  const speech: Array<{ readonly position: number; readonly bytes: number }> = []
  const pauses: Array<number> = []
  const connect = (opened: (pipe: Pipe) => PipeListener) => {
    let isOpen = true
    const close = () => {
      if (!isOpen) return
      isOpen = false
      ours.closed()
      theirs.closed()
    }
    disconnect = close
    const ours: PipeListener = opened(pipe(() => theirs, close))
    const theirs: PipeListener = host.attach(pipe(() => ours, close))
  }
  const minds: Array<{ readonly callId: string; readonly sound: CallSound; readonly forget: () => void }> = []
  const events: Array<SoundEvent["_tag"] | "LineClosed" | "AudioFailed"> = []
  const recorded: Array<string> = []
  let reconnect = () => {}
  const links = new SoundLinks({
    sounds: [
      {
        name: "one",
        isRemote: false,
        keepConnected: (opened) => {
          reconnect = () => connect(opened)
          reconnect()
          return () => disconnect()
        }
      }
    ],
    id: "engine",
    now: () => time.now,
    claimed: ({ callId }, sound) => {
      minds.push({ callId, sound, forget: () => sound.forget() })
      sounds.push(sound)
      return {
        tell: ({ _tag }) => void events.push(_tag),
        sink: { hear: () => undefined, pause: () => undefined },
        lineClosed: () => void events.push("LineClosed"),
        audioFailed: () => void events.push("AudioFailed"),
        lost: () => void events.push("AudioFailed")
      }
    },
    taken: (snapshot, sound) => {
      snapshots.push(snapshot)
      sounds.push(sound)
      return {
        tell: ({ _tag }) => void events.push(_tag),
        sink: {
          hear: (audio, position) => void speech.push({ position, bytes: audio.length }),
          pause: (position) => void pauses.push(position)
        },
        lineClosed: () => void events.push("LineClosed"),
        audioFailed: () => void events.push("AudioFailed"),
        lost: () => void events.push("AudioFailed")
      }
    },
    held: () => undefined,
    recorded: (file) => void recorded.push(file),
    warn: (sentence) => void warned.push(sentence)
  })
  const settle = async () => {
    for (let turn = 0; turn < 12; turn++) await turnOfLoop()
  }
  const reserve = (callId: string, recording = "") =>
    links.reserve({
      _tag: "Reserve",
      callId,
      tokenHash: createHash("sha256").update("token").digest(),
      goodForMs: 20_000,
      accountSid: "",
      callSid: "",
      signatures: [],
      agent: agentOf(),
      ambience: false,
      elapsedMs: 0,
      recording
    })
  const stream = (callId: string) => {
    const line = { closed: 0, sent: 0 }
    const call = host.connect(
      { callId, token: "token", streamSid: "MZ1", accountSid: "", callSid: "", upgradeSignature: "" },
      { send: () => void line.sent++, close: () => void line.closed++ }
    )
    return { line, call }
  }
  const end = () => {
    links.close()
    host.close()
  }
  return {
    time,
    warned,
    host,
    links,
    minds,
    events,
    recorded,
    recordings,
    snapshots,
    sounds,
    speech,
    pauses,
    settle,
    reserve,
    stream,
    end,
    disconnect: () => disconnect(),
    reconnect: () => reconnect(),
    stop: () => {
      stopped = true
    }
  }
}

/** A stream of a reserved call, with its mind. */
const talking = async (recording = "") => {
  const here = world()
  here.reserve("call_1", recording)
  await here.settle()
  const { line, call } = here.stream("call_1")
  if (call instanceof StreamRefused) throw new Error(call.reason)
  await here.settle()
  return { ...here, line, call, mind: here.minds[0] }
}

describe("the process of the sound", () => {
  it("takes a reserved stream by itself, and its engine makes the mind", async () => {
    const { mind, host, end } = await talking()
    expect(mind.callId).toBe("call_1")
    expect(host.size).toBe(1)
    end()
  })

  it("refuses a stream that nobody has reserved, and one that comes a second time", async () => {
    const { stream, end } = await talking()
    expect(stream("call_1").call).toMatchObject({ reason: "unknown_call" })
    expect(stream("call_2").call).toMatchObject({ reason: "unknown_call" })
    end()
  })

  it("hears of reservations again when its link is opened again", async () => {
    const here = world()
    here.reserve("call_1")
    await here.settle()
    here.disconnect()
    expect(here.links.open).toBe(false)
    here.reconnect()
    await here.settle()
    expect(here.stream("call_1").call).not.toBeInstanceOf(StreamRefused)
    here.end()
  })

  it("tells when the line closes, and forgets the call when the mind does", async () => {
    const { call, mind, events, settle, host, line, end } = await talking()
    call.closed()
    await settle()
    expect(events).toContain("LineClosed")
    mind.forget()
    await settle()
    expect(host.size).toBe(0)
    expect(line.closed).toBe(1)
    end()
  })

  it("hangs up when the mind says so", async () => {
    const { mind, settle, line, end } = await talking()
    mind.sound.run({ _tag: "HangUp" })
    await settle()
    expect(line.closed).toBe(1)
    end()
  })

  it("writes the recording, and says when it is complete", async () => {
    const { call, settle, recorded, recordings, end } = await talking("call_1.wav")
    for (let at = 0; at < 2_000; at += 20) call.media(new Uint8Array(160).fill(0xff), at)
    expect(recorded).toEqual([])
    call.closed()
    await settle()
    expect(recorded).toEqual(["call_1.wav"])
    expect(recordings.get("call_1.wav")?.closed).toBe(true)
    expect(recordings.get("call_1.wav")?.samples).toBeGreaterThan(0)
    end()
  })

  it("closes the lines of an engine that is gone, and the engine ends the calls of a sound that is gone", async () => {
    const { disconnect, events, line, host, end } = await talking()
    disconnect()
    expect(line.closed).toBe(1)
    expect(host.size).toBe(0)
    expect(events).toEqual(["AudioFailed"])
    end()
  })

  it("gives up an engine that leaves 256 events of a call untaken, without an error", async () => {
    const { call, stop, host, warned, end } = await talking()
    stop()
    for (let key = 0; key < 300; key++) {
      call.dtmf("1")
      call.dtmf("#")
    }
    expect(host.linked).toBe(0)
    expect(warned).toContain("the link to an engine is ended")
    end()
  })

  it("shuts the door while its link stalls, and gives the link up after 30 s", async () => {
    const { time, host, links, settle, stop, warned, line, end } = await talking()
    host.status()
    await settle()
    expect(links.open).toBe(true)
    stop()
    host.status()
    await settle()
    time.now += 3_000
    expect(links.open).toBe(false)
    host.status()
    await settle()
    expect(warned).toContain("an engine stalls")
    expect(host.linked).toBe(1)
    time.now += 30_000
    links.check()
    host.status()
    expect(host.linked).toBe(0)
    expect(line.closed).toBe(1)
    end()
  })

  it("says how much of the agent's sound was played, so that no more than the credit is sent", async () => {
    const { mind, call, settle, time, end } = await talking()
    mind.sound.run({ _tag: "Plan", epoch: 0, clause: 0, text: "Hello there", line: "uninterruptible" })
    mind.sound.run({ _tag: "Sound", epoch: 0, clause: 0, audio: new Uint8Array(40_000).fill(0x55) })
    mind.sound.run({ _tag: "End", epoch: 0, clause: 0 })
    expect(mind.sound.unplayedMs).toBe(5_000)
    await settle()
    await expect
      .poll(async () => {
        time.now += 100
        call.media(new Uint8Array(160).fill(0xff), 0)
        await settle()
        return mind.sound.unplayedMs
      })
      .toBeLessThan(4_100)
    end()
  })

  it("says it to the next engine of a call from zero again, so that the credit stays the same", async () => {
    const { call, sounds, settle, disconnect, reconnect, links, time, end } = await talking()
    const say = (sound: CallSound, clause: number) => {
      sound.run({ _tag: "Plan", epoch: 0, clause, text: "Hello there", line: "uninterruptible" })
      sound.run({ _tag: "Sound", epoch: 0, clause, audio: new Uint8Array(40_000).fill(0x55) })
      sound.run({ _tag: "End", epoch: 0, clause })
    }
    const passes = async () => {
      time.now += 100
      call.media(new Uint8Array(160).fill(0xff), 0)
      await settle()
      return sounds.at(-1)?.unplayedMs
    }
    say(sounds[0], 0)
    sounds[0].keep(new Uint8Array([1]), new Uint8Array([2]), 0)
    await expect.poll(passes, { interval: 20 }).toBeLessThan(4_100)
    disconnect()
    reconnect()
    links.accept()
    await settle()
    say(sounds[1], 1)
    // The media clock looks every 20 ms of real time. What the first engine has sent is played before.
    await settle()
    await new Promise((resolve) => setTimeout(resolve, 60))
    await passes()
    expect(sounds[1].unplayedMs).toBe(5_000)
    await expect.poll(passes, { interval: 20 }).toBeLessThan(4_100)
    end()
  })

  it("keeps a call whose engine is gone, and gives the next one its checkpoint, what it has not consumed, and what was said since", async () => {
    const { call, sounds, snapshots, events, speech, settle, disconnect, reconnect, links, host, line, time, end } =
      await talking()
    sounds[0].run({ _tag: "Plan", epoch: 0, clause: 0, text: "Hello there", line: "uninterruptible" })
    sounds[0].run({ _tag: "Sound", epoch: 0, clause: 0, audio: new Uint8Array(1_600).fill(0x55) })
    sounds[0].run({ _tag: "End", epoch: 0, clause: 0 })
    sounds[0].run({ _tag: "Plan", epoch: 0, clause: 1, text: "How can I help?", line: "interruptible" })
    let kept = 0
    sounds[0].keep(new Uint8Array([1]), new Uint8Array([2]), 0, () => kept++)
    sounds[0].keepChange(new Uint8Array([3]), 0, () => kept++)
    sounds[0].keepChange(new Uint8Array(), 0, () => kept++)
    await settle()
    expect(kept).toBe(3)
    disconnect()
    expect(host.alone).toBe(1)
    expect(line.closed).toBe(0)
    call.closed()
    reconnect()
    await settle()
    // Nobody has asked for calls yet.
    expect(snapshots).toEqual([])
    links.accept()
    await settle()
    expect(host.alone).toBe(0)
    expect(snapshots).toEqual([
      expect.objectContaining({ callId: "call_1", epoch: 0, commands: 4, understood: 0, consumed: 0 })
    ])
    expect(snapshots[0].clauses.map(({ text, bytes, whole }) => ({ text, bytes, whole }))).toEqual([
      { text: "Hello there", bytes: 1_600, whole: true },
      { text: "How can I help?", bytes: 0, whole: false }
    ])
    expect([...snapshots[0].base, ...snapshots[0].state]).toEqual([1, 2, 3])
    expect(events.filter((event) => event === "LineClosed")).toHaveLength(1)
    expect(speech).toEqual([])
    expect(time.now).toBe(1_000)
    sounds[1].forget()
    await settle()
    expect(line.closed).toBe(1)
    end()
  })

  it("gives up no turn of a caller who speaks while no engine is there", async () => {
    const { samples } = await speak("Are you open on Sundays?", "en-US")
    const { call, sounds, events, settle, disconnect, reconnect, links, end } = await talking()
    let ms = 0
    const frame = (pcm: Int16Array) => {
      call.media(encode(pcm), ms)
      ms += 20
    }
    const quiet = (seconds: number) => {
      for (let at = 0; at < 50 * seconds; at++) frame(new Int16Array(160))
    }
    quiet(1)
    sounds[0].keep(new Uint8Array([1]), new Uint8Array([2]), 0)
    await settle()
    disconnect()
    for (let at = 0; at + 160 <= samples.length; at += 160) frame(samples.subarray(at, at + 160))
    quiet(10)
    reconnect()
    links.accept()
    await settle()
    quiet(10)
    await settle()
    expect(events.filter((event) => event === "TurnLost")).toEqual([])
    sounds[1].run({ _tag: "Replay", from: 0 })
    sounds[1].run({ _tag: "Transcript", text: "Are you open on Sundays?", understood: 0 })
    await settle()
    quiet(1)
    await settle()
    expect(events).toContain("TurnEnded")
    end()
  })

  it("says once that the caller must wait when no engine comes, and hangs up after a minute", async () => {
    const { sounds, settle, disconnect, host, line, time, warned, end } = await talking()
    sounds[0].waitingLine(new Uint8Array(1_600).fill(0x55))
    sounds[0].keep(new Uint8Array([1]), new Uint8Array([2]), 0)
    await settle()
    disconnect()
    const passes = async (ms: number) => {
      time.now += ms
      // The media clock looks every 20 ms of real time.
      await new Promise((resolve) => setTimeout(resolve, 60))
    }
    await passes(1_000)
    expect(line.sent).toBe(0)
    await passes(1_000)
    const sent = line.sent
    expect(sent).toBeGreaterThan(0)
    await passes(5_000)
    await passes(55_000)
    expect(line.sent).toBeLessThan(15)
    expect(line.closed).toBe(1)
    expect(host.size).toBe(0)
    expect(warned).toContain("no engine has taken a call: it ends")
    end()
  })
})
