/** The audio of one call, frame by frame, on a test clock: what is sent and when, and which events it produces. */
import { beforeAll, describe, expect, it } from "vitest"
import { speak } from "../../../../simulators/voice/Voice.ts"
import { CallAudio } from "../../../../src/actors/voice/sound/CallAudio.ts"
import type { SoundEvent } from "../../../../src/actors/voice/sound/CallSound.ts"
import { decode, encode } from "../../../../src/audio/frames/Mulaw.ts"
import type { AgentConfig } from "../../../../src/domain/voice/engine/AgentConfig.ts"
import { agentOf } from "../../../support/agent.ts"

let voice: Int16Array
beforeAll(async () => {
  voice = (await speak("I would like to know whether you are open on Sundays and on holidays as well", "en-US")).samples
})

interface Sent {
  readonly atMs: number
  readonly event: string
  /** Of a frame: its loudest sample. */
  readonly peak?: number
  readonly name?: string
}

/** A call with ticks of 20 ms that are `lateMs` late. The provider echoes a mark when it has played the audio before it. */
const makeCall = (changes: Partial<AgentConfig> = {}, lateMs: () => number = () => 0) => {
  let nowMs = 1_000
  let mediaMs = 0
  let playedUntil = 0
  const sent: Array<Sent> = []
  const events: Array<SoundEvent> = []
  let clauses = 0
  const echoes: Array<{ readonly atMs: number; readonly name: string }> = []
  let flushes = 0
  const session = new CallAudio({
    streamSid: "MZ1",
    agent: agentOf(changes),
    sink: { hear: () => undefined, pause: () => void flushes++ },
    tell: (event) => void events.push(event),
    now: () => nowMs,
    line: {
      close: () => undefined,
      send: (bytes) => {
        const message: { event: string; mark?: { name: string }; media?: { payload: string } } = JSON.parse(
          Buffer.from(bytes).toString()
        )
        const { mark, media } = message
        sent.push({
          atMs: nowMs,
          event: message.event,
          ...(mark ? { name: mark.name } : {}),
          ...(media ? { peak: Math.max(...decode(Buffer.from(media.payload, "base64"))) } : {})
        })
        if (message.event === "media") playedUntil = Math.max(playedUntil, nowMs) + 20
        if (message.event === "clear") {
          playedUntil = nowMs
          for (const echo of echoes.splice(0)) session.speech.mark(echo.name)
        }
        if (message.mark) echoes.push({ atMs: playedUntil, name: message.mark.name })
      }
    }
  })
  /** One frame of the caller and one tick. */
  const tick = (pcm: Int16Array = new Int16Array(160)) => {
    session.media(encode(pcm), mediaMs)
    mediaMs += 20
    const dueMs = nowMs
    nowMs += lateMs()
    session.tick(dueMs)
    nowMs = dueMs + 20
    while (echoes[0] !== undefined && echoes[0].atMs <= nowMs) session.speech.mark(echoes.shift()?.name ?? "")
  }
  /** Does something this many milliseconds before the next tick. */
  const early = (ms: number, what: () => void) => {
    nowMs -= ms
    what()
    nowMs += ms
  }
  const stall = (ms: number) => {
    nowMs += ms
  }
  const quiet = (ms: number) => {
    for (let at = 0; at < ms; at += 20) tick()
  }
  const speaks = (ms: number) => {
    for (let at = 0; at < ms * 8; at += 160) tick(voice.subarray(at, at + 160))
  }
  /** The agent has a clause of `ms` to say. */
  const plan = (text: string, ms: number, interruptible = true) => {
    const { speech } = session
    const clause = { epoch: speech.expectLine({ interruptible }), clause: clauses++ }
    speech.plan({ ...clause, text })
    speech.append({ ...clause, audio: new Uint8Array(ms * 8).fill(0x55) })
    speech.endClause(clause)
  }
  const tags = () => events.map(({ _tag }) => _tag)
  const frames = () => sent.filter(({ event }) => event === "media").length
  return {
    session,
    sent,
    events,
    tags,
    frames,
    tick,
    early,
    stall,
    quiet,
    speaks,
    plan,
    flushes: () => flushes,
    now: () => nowMs
  }
}

const long = "We are open from nine to six on weekdays, and from ten to two on Saturdays and on most holidays."

describe("the agent's speech", () => {
  it("is sent at most 100 ms ahead, and is over when the provider has played it", () => {
    const call = makeCall()
    call.quiet(500)
    call.plan(long, 4_000)
    call.quiet(3_000)
    expect(call.frames() * 20).toBeGreaterThanOrEqual(3_000)
    expect(call.frames() * 20).toBeLessThanOrEqual(3_100)
    expect(call.tags()).toEqual([])
    call.quiet(1_500)
    expect(call.events).toMatchObject([{ _tag: "Drained", heard: { text: long } }])
    expect(call.session.talk.agentMs).toBe(4_000)
  })

  it.each([
    0, 0.5, 10, 19.5
  ])("is sent as one frame a tick, however late ticks are, when it began %d ms before a tick", (before) => {
    let ticks = 0
    const call = makeCall({}, () => 4 * (ticks++ % 3))
    call.quiet(500)
    call.early(before, () => call.plan(long, 2_000))
    call.quiet(20)
    const sent = Array.from({ length: 50 }, () => {
      const already = call.frames()
      call.quiet(20)
      return call.frames() - already
    })
    expect(sent).toEqual(sent.map(() => 1))
  })

  it("goes on 100 ms ahead after the process stood still, and does not send the overdue audio at once", () => {
    const call = makeCall()
    call.quiet(500)
    call.plan(long, 4_000)
    call.quiet(1_000)
    const sent = call.frames()
    call.stall(1_000)
    call.tick()
    expect(call.frames() - sent).toBe(5)
    call.quiet(200)
    expect(call.frames() - sent).toBe(15)
  })

  it("ends even if the provider never echoes its mark", () => {
    const call = makeCall()
    call.session.speech.mark = () => undefined
    call.plan("Hello.", 400)
    call.quiet(2_400)
    expect(call.tags()).toEqual([])
    call.quiet(400)
    expect(call.tags()).toEqual(["Drained"])
  })

  it("does not begin while the caller speaks, and begins when the caller's sound had no words", () => {
    const call = makeCall()
    call.quiet(1_000)
    call.speaks(600)
    call.plan(long, 4_000)
    call.speaks(600)
    expect(call.frames()).toBe(0)
    call.quiet(400)
    expect(call.flushes()).toBe(1)
    call.session.transcript("")
    call.quiet(40)
    expect(call.frames()).toBeGreaterThan(0)
  })

  it("does not wait forever on a line that is never quiet", () => {
    const call = makeCall()
    call.quiet(1_000)
    call.speaks(600)
    call.plan(long, 4_000)
    for (let i = 0; i < 10; i++) call.speaks(1_000)
    expect(call.frames()).toBeGreaterThan(0)
  })

  it("is kept back while the end of the turn is only likely", () => {
    const call = makeCall()
    const epoch = call.session.speech.expectReply({ held: true })
    call.plan(long, 4_000)
    call.session.speech.replyEnded(epoch)
    call.quiet(1_000)
    expect(call.frames()).toBe(0)
    expect(call.tags()).toEqual([])
    call.session.run({ _tag: "Commit", epoch })
    expect(call.frames()).toBeGreaterThan(0)
  })
})

describe("the caller's speech over the agent's", () => {
  const interrupted = () => {
    const call = makeCall()
    call.quiet(1_000)
    call.plan(long, 6_000)
    call.quiet(2_000)
    call.speaks(1_000)
    return call
  }

  it("softens the agent by 12 dB within the configured time, from where the caller is, and loses nothing of it", () => {
    const call = makeCall()
    call.quiet(1_000)
    call.plan(long, 6_000)
    call.quiet(2_000)
    const from = call.now()
    const before = call.sent.findLast(({ event }) => event === "media")?.peak ?? Number.NaN
    call.speaks(400)
    const cleared = call.sent.findIndex(({ event }) => event === "clear")
    // 200 ms of voice, and a few frames until the first of them is detected as voice.
    expect((call.sent[cleared]?.atMs ?? Number.NaN) - from).toBeLessThanOrEqual(300)
    // What the provider dropped is sent again at once, softly.
    const again = call.sent.slice(cleared + 1, cleared + 6)
    expect(again.map(({ event, atMs }) => [event, atMs])).toEqual(again.map(() => ["media", call.sent[cleared].atMs]))
    expect(again.map(({ peak }) => Math.round(4 * (peak ?? 0) - before))).toEqual(
      again.map(() => expect.closeTo(0, -3))
    )
    call.quiet(300)
    call.session.transcript("")
    call.quiet(6_000)
    expect(call.sent.findLast(({ event }) => event === "media")?.peak).toBe(before)
    expect(call.events).toMatchObject([{ _tag: "Drained", heard: { text: long } }])
    // What was sent again was not played before.
    expect(call.frames()).toBeLessThanOrEqual(6_000 / 20 + 6)
    expect(call.session.talk.agentMs).toBeGreaterThanOrEqual(5_980)
    expect(call.session.talk.agentMs).toBeLessThanOrEqual(6_040)
  })

  it("silences the agent when it is longer than a listening noise, at the provider too, before any word is known", () => {
    const call = makeCall()
    call.quiet(1_000)
    call.plan(long, 6_000)
    call.quiet(2_000)
    const from = call.now()
    call.speaks(1_000)
    const cleared = call.sent.findLast(({ event }) => event === "clear")?.atMs ?? Number.NaN
    const last = call.sent.findLast(({ event }) => event === "media")?.atMs ?? Number.NaN
    // 650 ms of voice.
    expect(cleared - from).toBeLessThanOrEqual(750)
    expect(last).toBeLessThanOrEqual(cleared)
    expect(call.tags()).toEqual([])
  })

  it("talks through a listening noise", () => {
    const call = makeCall()
    call.quiet(1_000)
    call.plan(long, 6_000)
    call.quiet(2_000)
    call.speaks(440)
    call.quiet(400)
    call.session.transcript("Mm-hm.")
    call.quiet(6_000)
    const frames = call.sent.filter(({ event }) => event === "media")
    const longestGap = Math.max(...frames.map(({ atMs }, i) => atMs - (frames[i - 1]?.atMs ?? atMs)))
    expect(longestGap).toBe(20)
    expect(call.tags()).toEqual(["Overheard", "Drained"])
    expect(call.session.falseInterruptions).toBe(1)
  })

  it("lets the agent go on from the word that was cut off when it was only a listening noise", () => {
    const call = interrupted()
    const before = call.frames()
    call.quiet(400)
    call.session.transcript("Mm-hm.")
    call.quiet(6_000)
    expect(call.tags()).toEqual(["Overheard", "Drained"])
    expect(call.events.at(-1)).toMatchObject({ heard: { text: long } })
    // The whole text was heard, and at most the word and the quiet before it were heard twice.
    expect(call.frames()).toBeGreaterThanOrEqual(6_000 / 20)
    expect(call.frames()).toBeLessThanOrEqual(6_000 / 20 + 60)
    expect(before).toBeLessThan(200)
    expect(call.session.falseInterruptions).toBe(1)
  })

  it("ends the agent's speech when the words interrupt: the heard text is cut at the word, and the caller's turn follows", () => {
    const call = interrupted()
    call.quiet(400)
    call.session.transcript("No, that is not what I asked.")
    call.quiet(500)
    expect(call.tags()).toEqual(["BargedIn", "TurnLikely", "TurnEnded"])
    const [event] = call.events
    const heard = event?._tag === "BargedIn" ? event.heard : undefined
    expect(long.startsWith(`${heard?.text} `)).toBe(true)
    // 2.7 of 6 s were heard: less than half of the text.
    expect(heard?.text.length).toBeGreaterThan(long.length * 0.2)
    expect(heard?.text.length).toBeLessThan(long.length * 0.6)
    expect((heard?.endMs ?? 0) - (heard?.startMs ?? 0)).toBeLessThan(3_000)
    const framesAtEnd = call.frames()
    call.quiet(2_000)
    expect(call.frames()).toBe(framesAtEnd)
  })

  it("ends it also in its last second when the agent was paused, since nobody waits for the end of a sentence that they have answered", () => {
    const overTheEnd = (text: string) => {
      const call = makeCall()
      call.quiet(1_000)
      call.plan(long, 3_000)
      call.quiet(1_800)
      call.speaks(2_000)
      const frames = call.frames()
      call.quiet(400)
      call.session.transcript(text)
      call.quiet(2_000)
      return { tags: call.tags(), more: call.frames() - frames }
    }
    expect(overTheEnd("And what does it cost on Sundays?")).toEqual({
      tags: ["BargedIn", "TurnLikely", "TurnEnded"],
      more: 0
    })
    // Only a listening noise: the sentence is heard to its end, and then it is answered.
    const noise = overTheEnd("Yeah.")
    expect(noise.tags.at(-1)).toBe("TurnEnded")
    expect(noise.tags).toContain("Drained")
    expect(noise.more).toBeGreaterThan(0)
  })

  it("keeps a paused agent paused while no mind is there to hear the words, and asks anew when one is", () => {
    const call = interrupted()
    call.session.mindAway()
    const frames = call.frames()
    call.quiet(10_000)
    expect([call.frames(), call.tags()]).toEqual([frames, []])
    call.session.run({ _tag: "Replay", from: 0 })
    call.quiet(1_500)
    call.session.transcript("No, that is not what I asked.")
    call.quiet(500)
    expect(call.frames()).toBe(frames)
    expect(call.tags()).toEqual(["BargedIn", "TurnEnded"])
  })

  it("lets the agent go on when also the next mind brings no words", () => {
    const call = interrupted()
    call.session.mindAway()
    call.quiet(10_000)
    call.session.run({ _tag: "Replay", from: 0 })
    call.quiet(8_000)
    expect(call.events).toMatchObject([{ _tag: "Drained", heard: { text: long } }])
  })

  it("does not end it with fewer words than the agent's setting, but always with a word to stop", () => {
    const asks = { interruption: { enabled: true, minSpeechMs: 200, minWords: 3 } }
    const play = (text: string) => {
      const call = makeCall(asks)
      call.quiet(1_000)
      call.plan(long, 6_000)
      call.quiet(2_000)
      call.speaks(600)
      call.quiet(400)
      call.session.transcript(text)
      return call.tags()
    }
    expect(play("Very nice.")).toEqual(["Overheard"])
    expect(play("Stop.")[0]).toBe("BargedIn")
    expect(play("I have another question.")[0]).toBe("BargedIn")
  })

  it("does not stop speech that must be heard to its end, and becomes a turn afterwards", () => {
    const call = makeCall()
    call.plan("You may be speaking with an AI.", 2_000, false)
    call.quiet(500)
    call.speaks(800)
    call.quiet(400)
    call.session.transcript("Hello?")
    call.quiet(2_000)
    expect(call.sent.some(({ event }) => event === "clear")).toBe(false)
    expect(call.tags()[0]).toBe("Drained")
    expect(call.tags()).toContain("TurnEnded")
  })

  it("does not count text as heard when the provider echoes a discarded mark", () => {
    const call = makeCall()
    call.plan("One.", 600)
    call.plan("Two.", 3_000)
    call.quiet(800)
    call.speaks(600)
    call.quiet(400)
    call.session.transcript("No.")
    // The provider echoes a mark that it discarded, late.
    call.session.speech.mark("g0:1")
    expect(call.events[0]).toMatchObject({ _tag: "BargedIn", heard: { clauses: 2, text: "One." } })
  })
})

describe("a line that closes in the middle of a sentence", () => {
  it("requests the last words from speech-to-text, even if the words before them have only just come", () => {
    const call = makeCall()
    call.quiet(1_000)
    call.speaks(600)
    call.quiet(400)
    expect(call.flushes()).toBe(1)
    call.speaks(600)
    call.session.transcript("Hello,")
    expect(call.session.awaitsTranscript).toBe(true)
    call.session.run({ _tag: "Close" })
    expect(call.flushes()).toBe(2)
    expect(call.session.awaitsTranscript).toBe(true)
    expect(call.tags()).not.toContain("LastWords")
    call.session.transcript("is anybody there?")
    expect(call.tags()).toContain("LastWords")
    call.session.run({ _tag: "TakeRest" })
    expect(call.events.at(-2)).toMatchObject({ _tag: "TurnEnded", text: "Hello, is anybody there?" })
  })
})

describe("pressed keys", () => {
  it("interrupt the agent, and are one input that # ends", () => {
    const call = makeCall()
    call.plan(long, 6_000)
    call.quiet(1_000)
    for (const key of "42#") call.session.key(key)
    expect(call.tags()).toEqual(["BargedIn", "TurnEnded"])
    expect(call.events[1]).toMatchObject({ text: "pressed 4 2 #" })
  })

  it("are an input after three seconds without #", () => {
    const call = makeCall()
    call.session.key("7")
    call.quiet(2_900)
    expect(call.tags()).toEqual([])
    call.quiet(200)
    expect(call.events).toMatchObject([{ _tag: "TurnEnded", text: "pressed 7" }])
  })

  it("are an input when the call ends without #", () => {
    const call = makeCall()
    for (const key of "42") call.session.key(key)
    expect(call.session.callerUnfinished).toBe(true)
    call.session.run({ _tag: "TakeRest" })
    call.session.run({ _tag: "TakeRest" })
    expect(call.tags()).toEqual(["TurnEnded", "Rest", "Rest"])
    expect(call.events[0]).toMatchObject({ text: "pressed 4 2" })
    expect(call.session.callerUnfinished).toBe(false)
  })

  it("are one input even if there are thousands", () => {
    const call = makeCall()
    for (let i = 0; i < 10_000; i++) call.session.key("5")
    call.quiet(3_200)
    expect(call.tags()).toEqual(["TurnEnded"])
  })

  it("are an input after the disclosure when they come during it", () => {
    const call = makeCall()
    call.plan("You may be speaking with an AI.", 2_000, false)
    call.quiet(500)
    for (const key of "1#") call.session.key(key)
    expect(call.tags()).toEqual([])
    call.quiet(2_000)
    expect(call.tags()).toEqual(["Drained", "TurnEnded"])
  })
})

describe("a call whose mind is away", () => {
  it("is not told that a turn without words is lost, nor that the caller is silent, before somebody could hear the words", () => {
    const call = makeCall()
    call.quiet(1_000)
    call.session.run({ _tag: "ArmSilence", ms: 3_000 })
    call.session.mindAway()
    call.speaks(1_000)
    call.quiet(10_000)
    expect(call.tags()).toEqual([])
    call.session.run({ _tag: "Replay", from: 0 })
    call.quiet(1_000)
    call.session.transcript("Is anybody there?")
    call.quiet(1_000)
    expect(call.tags()).toEqual(["TurnEnded"])
  })

  it("waits for words as long as ever when the mind that stood still goes on", () => {
    const call = makeCall()
    call.quiet(1_000)
    call.session.mindAway()
    call.speaks(1_000)
    call.quiet(10_000)
    call.session.mindBack()
    call.quiet(3_000)
    expect(call.tags()).toEqual([])
    call.quiet(2_000)
    expect(call.tags()).toEqual(["TurnLost"])
  })

  it("tells the end of a turn whose words were there before", () => {
    const call = makeCall()
    call.quiet(1_000)
    call.speaks(1_000)
    call.quiet(300)
    call.session.transcript("Is anybody there?")
    call.session.mindAway()
    call.quiet(1_000)
    expect(call.tags()).toEqual(["TurnLikely", "TurnEnded"])
  })

  it("waits for the last words of a caller who hung up meanwhile", () => {
    const call = makeCall()
    call.quiet(1_000)
    call.session.mindAway()
    call.speaks(1_000)
    call.quiet(5_000)
    call.session.run({ _tag: "Close" })
    call.session.look()
    expect(call.tags()).toEqual([])
    call.session.run({ _tag: "Replay", from: 0 })
    call.session.transcript("Goodbye.")
    expect(call.tags()).toContain("LastWords")
  })
})

describe("listening sounds", () => {
  it("are made in a pause when the caller speaks for long, and do not count as the agent's speech", () => {
    const call = makeCall()
    call.session.run({ _tag: "ListeningSounds", sounds: [new Uint8Array(3_200).fill(0x55)] })
    call.quiet(1_000)
    for (let i = 0; i < 4; i++) {
      call.speaks(2_500)
      call.quiet(400)
      call.session.transcript("and then")
    }
    expect(call.frames()).toBeGreaterThan(0)
    expect(call.frames()).toBeLessThanOrEqual(2 * 20)
    expect(call.session.talk.agentMs).toBe(0)
    expect(call.tags()).not.toContain("BargedIn")
  })
})
