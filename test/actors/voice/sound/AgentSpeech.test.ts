/** The agent's speech as a state machine on a test clock: in every order of events, only audio that may be heard is sent. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { AgentSpeech, type HeardSoFar } from "../../../../src/actors/voice/sound/AgentSpeech.ts"
import { TalkTime } from "../../../../src/audio/frames/TalkTime.ts"

const bytesPerMs = 8

/** The speech of one call. The provider echoes a mark when it has played the audio before it. */
const makeSpeech = () => {
  let nowMs = 0
  let playedUntilMs = 0
  let marks: Array<{ readonly atMs: number; readonly name: string }> = []
  let callerHasFloor = false
  const seen = { frames: 0, clears: 0 }
  const started: Array<boolean> = []
  let ended = 0
  const drained: Array<HeardSoFar> = []
  let clauses = 0
  const speech = new AgentSpeech({
    streamSid: "MZ1",
    line: {
      close: () => undefined,
      send: (bytes) => {
        const message: { event: string; mark?: { name: string } } = JSON.parse(Buffer.from(bytes).toString())
        if (message.event === "media") {
          seen.frames++
          playedUntilMs = Math.max(playedUntilMs, nowMs) + 20
        }
        if (message.event === "clear") {
          seen.clears++
          playedUntilMs = nowMs
          marks = []
        }
        if (message.mark !== undefined) marks.push({ atMs: playedUntilMs, name: message.mark.name })
      }
    },
    recorder: undefined,
    ambience: undefined,
    now: () => nowMs,
    elapsed: (at) => at,
    talk: new TalkTime(),
    mayStart: () => !callerHasFloor,
    onStarted: (interruptible) => void started.push(interruptible),
    onEnded: () => void ended++,
    onDrained: (heard) => void drained.push(heard),
    onAudio: () => undefined,
    onFrame: () => undefined,
    onSent: () => undefined,
    onCleared: () => undefined,
    onPersonLost: () => undefined
  })
  const quiet = (ms: number) => {
    for (let at = 0; at < ms; at += 20) {
      nowMs += 20
      speech.tick(nowMs)
      while (marks[0] !== undefined && marks[0].atMs <= nowMs) speech.mark(marks.shift()?.name ?? "")
    }
  }
  /** Plans a clause of `epoch` with `ms` of audio; gives whether it was accepted. */
  const clause = (text: string, epoch: number, ms: number) => {
    const one = { epoch, clause: clauses++ }
    const planned = speech.plan({ ...one, text })
    // Sound of a clause that was refused is ignored.
    speech.append({ ...one, audio: new Uint8Array(ms * bytesPerMs).fill(0x55) })
    speech.endClause(one)
    return planned
  }
  return {
    speech,
    seen,
    started,
    drained,
    quiet,
    clause,
    ended: () => ended,
    takeFloor: (taken: boolean) => {
      callerHasFloor = taken
    }
  }
}

describe("a reply to a likely end of the turn", () => {
  it("is kept back until the turn has ended, and is then heard at once", () => {
    const { speech, seen, quiet, clause } = makeSpeech()
    const epoch = speech.expectReply({ held: true })
    clause("One.", epoch, 1_000)
    speech.replyEnded(epoch)
    quiet(2_000)
    expect(speech).toMatchObject({ held: true, audible: false })
    expect(seen.frames).toBe(0)
    speech.release(speech.epoch)
    expect(speech).toMatchObject({ held: false, audible: true })
    expect(seen.frames).toBeGreaterThan(0)
  })

  it("is over only when the turn has ended, even if it is empty", () => {
    const { speech, drained, quiet } = makeSpeech()
    speech.replyEnded(speech.expectReply({ held: true }))
    quiet(100)
    expect(drained).toEqual([])
    speech.release(speech.epoch)
    expect(drained).toMatchObject([{ text: "" }])
  })

  it("is discarded when the turn goes on", () => {
    const { speech, seen, drained, quiet, clause } = makeSpeech()
    const epoch = speech.expectReply({ held: true })
    clause("One.", epoch, 1_000)
    expect(speech.silence()).toMatchObject({ epoch, clauses: 1, text: "" })
    speech.release(speech.epoch)
    expect(clause("Two.", epoch, 1_000)).toBe(false)
    quiet(1_000)
    expect({ ...seen, drained }).toEqual({ frames: 0, clears: 0, drained: [] })
  })
})

describe("a reply", () => {
  it("is not over before the model has ended it, however long there is nothing left to play", () => {
    const { speech, drained, quiet, clause } = makeSpeech()
    const epoch = speech.expectReply({ held: false })
    clause("One.", epoch, 400)
    quiet(2_000)
    expect(drained).toEqual([])
    expect(speech.nearlyDone(10_000)).toBe(false)
    clause("Two.", epoch, 400)
    speech.replyEnded(epoch)
    quiet(2_000)
    expect(drained).toMatchObject([{ text: "One. Two." }])
  })

  it("is not ended by the end of a reply of an older epoch", () => {
    const { speech, drained, quiet } = makeSpeech()
    const old = speech.expectReply({ held: false })
    speech.silence()
    const epoch = speech.expectReply({ held: false })
    speech.replyEnded(old)
    quiet(100)
    expect(drained).toEqual([])
    speech.replyEnded(epoch)
    quiet(20)
    expect(drained).toHaveLength(1)
  })
})

describe("a fixed phrase", () => {
  it("waits while the caller has the floor, unless it must be heard", () => {
    for (const interruptible of [true, false]) {
      const { speech, seen, started, quiet, clause, takeFloor } = makeSpeech()
      takeFloor(true)
      clause("One.", speech.expectLine({ interruptible }), 400)
      quiet(200)
      expect(seen.frames > 0).toBe(!interruptible)
      takeFloor(false)
      quiet(200)
      expect(started).toEqual([interruptible])
    }
  })

  it("does not change whether an utterance that has begun can be interrupted", () => {
    const { speech, started, quiet, clause } = makeSpeech()
    clause("One.", speech.expectLine({ interruptible: false }), 400)
    quiet(100)
    clause("Two.", speech.expectLine({ interruptible: true }), 400)
    quiet(2_000)
    expect(started).toEqual([false])
  })

  it("is refused when none is expected", () => {
    const { speech, seen, quiet } = makeSpeech()
    expect(speech.plan({ epoch: speech.epoch, clause: 0, text: "One." })).toBe(false)
    quiet(100)
    expect(seen.frames).toBe(0)
  })
})

type Operation =
  | { readonly what: "reply"; readonly held: boolean }
  | { readonly what: "line"; readonly interruptible: boolean; readonly ms: number }
  | { readonly what: "clause"; readonly ms: number }
  | { readonly what: "quiet"; readonly ms: number }
  | { readonly what: "floor"; readonly taken: boolean }
  | { readonly what: "replyEnds" | "release" | "pause" | "resume" | "silence" }

const ms = fc.integer({ min: 1, max: 40 }).map((frames) => frames * 20)
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ what: fc.constant("reply" as const), held: fc.boolean() }),
  fc.record({ what: fc.constant("line" as const), interruptible: fc.boolean(), ms }),
  fc.record({ what: fc.constant("clause" as const), ms }),
  { weight: 3, arbitrary: fc.record({ what: fc.constant("quiet" as const), ms }) },
  fc.record({ what: fc.constant("floor" as const), taken: fc.boolean() }),
  fc.record({ what: fc.constantFrom("replyEnds", "release", "pause", "resume", "silence") })
)

describe("speech in every order of events", () => {
  /** Runs the operations and checks the invariants after each. What is reported as heard was planned, from the first word on. */
  const play = (operations: ReadonlyArray<Operation>) => {
    const { speech, seen, started, drained, quiet, clause, ended, takeFloor } = makeSpeech()
    let [epoch, silencings] = [0, 0]
    let [expected, replying, held, paused] = [false, false, false, false]
    let texts: Array<string> = []
    let drainedBefore = 0
    const run = (happens: Operation) => {
      switch (happens.what) {
        case "reply":
          held = happens.held && !speech.audible
          epoch = speech.expectReply(happens)
          ;[expected, replying] = [true, true]
          return
        case "line": {
          expected = true
          const text = `Line ${texts.length}.`
          const spoken = clause(text, speech.expectLine(happens), happens.ms)
          expect(spoken).toBe(true)
          texts.push(text)
          return
        }
        case "clause": {
          const text = `Clause ${texts.length}.`
          // A clause of a silenced reply is refused, whatever is planned now.
          const planned = clause(text, epoch, happens.ms)
          expect(planned).toBe(epoch === silencings && expected)
          if (planned) texts.push(text)
          return
        }
        case "quiet":
          return quiet(happens.ms)
        case "floor":
          return takeFloor(happens.taken)
        case "replyEnds":
          speech.replyEnded(epoch)
          if (epoch === speech.epoch) replying = false
          return
        case "release":
          held = false
          return speech.release(speech.epoch)
        case "pause":
          paused = speech.audible
          return speech.pause()
        case "resume":
          paused = false
          return speech.resume()
        case "silence": {
          const { text, clauses } = speech.silence()
          expect(clauses).toBe(texts.length)
          expect(texts.join(" ").slice(0, text.length)).toBe(text)
          texts = []
          silencings++
          ;[expected, replying, held, paused] = [false, false, false, false]
          return
        }
      }
    }
    for (const happens of operations) {
      const framesBefore = seen.frames
      const keptBack = held || paused
      const wasReplying = replying
      run(happens)
      if (drained.length > drainedBefore) {
        expect(drained).toHaveLength(drainedBefore + 1)
        expect(drained.at(-1)).toMatchObject({ text: texts.join(" "), clauses: texts.length })
        // Speech is not over while it is kept back or the model goes on.
        if (happens.what === "quiet") expect(keptBack || wasReplying).toBe(false)
        drainedBefore++
        texts = []
        expected = false
        expect(speech.audible).toBe(false)
      }
      if (keptBack && (held || paused)) expect(seen.frames).toBe(framesBefore)
      expect(speech.epoch).toBe(silencings)
      expect(speech.held).toBe(held)
      if (paused) expect(speech.audible).toBe(true)
      // Speech that has started ends once.
      expect(started.length - ended()).toBe(speech.audible ? 1 : 0)
    }
    // When nothing holds it back any more, all planned text is heard and reported once.
    takeFloor(false)
    speech.resume()
    speech.release(speech.epoch)
    speech.replyEnded(speech.epoch)
    quiet(operations.length * 800 + 3_000)
    expect(drained.slice(drainedBefore).map(({ text }) => text)).toEqual(expected ? [texts.join(" ")] : [])
    expect(speech.nearlyDone(0)).toBe(true)
    expect(started.length).toBe(ended())
  }

  it("sends no audio that is kept back, ends every utterance that it began, and reports all planned text", () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 30 }), (operations) => play(operations)),
      { numRuns: 300 }
    )
  })
})

describe("the speech of a call whose mind is gone", () => {
  it("waits for the rest of the clause whose sound was coming, drops those without sound, and goes on without a gap in its words", () => {
    const { speech, seen, drained, quiet } = makeSpeech()
    const epoch = speech.expectReply({ held: false })
    for (const [clause, text] of ["We are open.", "Until six.", "Goodbye."].entries())
      speech.plan({ epoch, clause, text })
    speech.append({ epoch, clause: 0, audio: new Uint8Array(400 * bytesPerMs).fill(0x55) })
    speech.endClause({ epoch, clause: 0 })
    speech.append({ epoch, clause: 1, audio: new Uint8Array(200 * bytesPerMs).fill(0x55) })
    expect(speech.settle()).toEqual([
      expect.objectContaining({ text: "We are open.", bytes: 400 * bytesPerMs, whole: true }),
      expect.objectContaining({ text: "Until six.", bytes: 200 * bytesPerMs, whole: false }),
      expect.objectContaining({ text: "Goodbye.", bytes: 0, whole: false })
    ])
    quiet(5_000)
    expect([seen.frames, drained.length]).toEqual([30, 0])
    expect(speech.unheardMs).toBeGreaterThan(4_000)
    // The next mind gives the rest.
    speech.append({ epoch, clause: 1, audio: new Uint8Array(300 * bytesPerMs).fill(0x55) })
    speech.endClause({ epoch, clause: 1 })
    quiet(1_000)
    expect(seen.frames).toBe(45)
    expect(drained.map(({ text, clauses }) => [text, clauses])).toEqual([["We are open. Until six.", 2]])
  })

  it("lets a line that bridges the wait be heard to its end before it goes on", () => {
    const { speech, seen, drained, quiet } = makeSpeech()
    const epoch = speech.expectReply({ held: false })
    speech.plan({ epoch, clause: 0, text: "We are open." })
    speech.append({ epoch, clause: 0, audio: new Uint8Array(200 * bytesPerMs).fill(0x55) })
    speech.settle()
    quiet(2_000)
    speech.bridge(new Uint8Array(600 * bytesPerMs).fill(0x55))
    quiet(100)
    speech.append({ epoch, clause: 0, audio: new Uint8Array(200 * bytesPerMs).fill(0x55) })
    speech.endClause({ epoch, clause: 0 })
    quiet(300)
    expect(speech.unplayedMs).toBe(200)
    quiet(1_500)
    expect(seen.frames).toBe(50)
    expect(drained.map(({ text }) => text)).toEqual(["We are open."])
  })
})
