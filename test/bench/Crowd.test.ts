import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Company, Member } from "../../bench/crowd/Member.ts"
import { Playout } from "../../bench/crowd/Playout.ts"
import { Stamps } from "../../bench/crowd/Stamps.ts"
import { Tally } from "../../bench/crowd/Tally.ts"
import { frameBytes, newMark, readMark, readSampleMark, stamp } from "../../bench/crowd/Watermark.ts"
import {
  answerClause,
  clauses,
  question,
  readAnswerClause,
  readQuestion,
  subjectsIn,
  waitingLine
} from "../../bench/crowd/Words.ts"
import { decode } from "../../src/audio/frames/Mulaw.ts"
import { makeClauseSplitter } from "../../src/domain/voice/dialogue/ClauseSplitter.ts"

const subjects = fc.record({ caller: fc.integer({ min: 1, max: 32_767 }), turn: fc.integer({ min: 0, max: 1_023 }) })

describe("marks in the sound of a crowd", () => {
  const marks = fc.record({
    caller: fc.nat(65_534),
    utterance: fc.nat(65_535),
    index: fc.nat(4_095),
    total: fc.nat(4_095)
  })

  it("are read as they were written, also from the samples that speech-to-text gets", () => {
    fc.assert(
      fc.property(marks, fc.uint8Array({ minLength: frameBytes, maxLength: frameBytes }), (mark, sound) => {
        stamp(sound, 0, mark)
        const read = newMark()
        expect(readMark(sound, 0, read)).toBe(true)
        expect(read).toEqual(mark)
        expect(readSampleMark(decode(sound), 0, read)).toBe(true)
        expect(read).toEqual(mark)
      })
    )
  })

  it("are not found where none was written", () => {
    expect(readMark(new Uint8Array(frameBytes).fill(0xff), 0, newMark())).toBe(false)
    const sound = new Uint8Array(frameBytes)
    stamp(sound, 0, { caller: 1, utterance: 2, index: 3, total: 4 })
    sound[20] ^= 1
    expect(readMark(sound, 0, newMark())).toBe(false)
  })
})

describe("words of a crowd", () => {
  it("name their caller, whole or cut into clauses as the engine cuts them", () => {
    fc.assert(
      fc.property(subjects, (of) => {
        expect(readQuestion(`and ${question(of)}`)).toEqual(of)
        const answer = Array.from({ length: clauses }, (_, index) => answerClause(of, index + 1)).join(" ")
        const splitter = makeClauseSplitter()
        const parts = [...splitter.push(answer), splitter.end()]
        expect(parts.map((part) => readAnswerClause(part ?? ""))).toEqual([1, 2].map((clause) => ({ ...of, clause })))
        expect(subjectsIn(`${question(of)} ${answer}`)).toEqual([of, of, of])
      })
    )
  })
})

describe("the play-out of a caller", () => {
  const frame = (caller: number, index: number, utterance = 5, total = 4) => {
    const bytes = new Uint8Array(frameBytes)
    stamp(bytes, 0, { caller, utterance, index, total })
    return bytes
  }
  const heard = (frames: ReadonlyArray<readonly [Uint8Array, number]>) => {
    const tally = new Tally()
    const playout = new Playout(7, tally)
    for (const [bytes, atMs] of frames) playout.take(bytes, atMs, true)
    return tally
  }

  it("finds nothing wrong with frames in order and in time", () => {
    const tally = heard([0, 1, 2, 3].map((index) => [frame(7, index), index * 20]))
    expect([tally.contentErrors, tally.underruns]).toEqual([0, 0])
  })

  it("counts what is lost, repeated, unreadable, and another caller's", () => {
    const { errors } = heard([
      [frame(7, 0), 0],
      [frame(7, 2), 10],
      [frame(7, 2), 20],
      [frame(8, 3), 30],
      [new Uint8Array(frameBytes), 40]
    ])
    expect(errors).toMatchObject({ lost: 1, repeated: 1, crossed: 1, unreadable: 1 })
  })

  it("counts the end of a clause that never came", () => {
    const { errors } = heard([
      [frame(7, 0), 0],
      [frame(7, 0, 6), 20]
    ])
    expect(errors.lost).toBe(3)
  })

  /** Frames of the clause from `from` to `to`, or of the line that fills a wait. */
  const clause = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, at) => frame(7, from + at, 5, 12))
  const line = [0, 1, 2, 3].map((index) => frame(0, index, waitingLine))
  const inTime = (frames: ReadonlyArray<Uint8Array>) => heard(frames.map((bytes, at) => [bytes, at * 20] as const))

  it("finds nothing wrong with a clause that goes on after the line that fills a wait", () => {
    expect(inTime([...clause(0, 4), ...line, ...clause(5, 11)]).contentErrors).toBe(0)
    expect(inTime([...clause(0, 4), ...line, ...line, ...clause(5, 11), frame(7, 0, 6)]).contentErrors).toBe(0)
  })

  it("counts what is missing of a clause around the line that fills a wait, and of that line", () => {
    expect(inTime([...clause(0, 4), ...line, ...clause(7, 11)]).errors.lost).toBe(2)
    expect(inTime([...clause(0, 4), ...line, frame(7, 0, 6)]).errors.lost).toBe(7)
    expect(inTime([...clause(0, 4), ...line.slice(0, 2), ...line, ...clause(5, 11)]).errors.repeated).toBe(1)
  })

  it("counts a clause that another line interrupts, which none may do", () => {
    expect(inTime([...clause(0, 4), frame(0, 0, waitingLine + 4), ...clause(5, 11)]).errors.lost).toBeGreaterThan(0)
  })

  describe("after the provider was told to drop what it had", () => {
    const cleared = (before: ReadonlyArray<Uint8Array>, after: ReadonlyArray<Uint8Array>) => {
      const tally = new Tally()
      const playout = new Playout(7, tally)
      before.forEach((bytes, at) => void playout.take(bytes, at * 20, true))
      playout.cleared(before.length * 20)
      after.forEach((bytes, at) => void playout.take(bytes, 1_000 + at * 20, true))
      return tally
    }
    const torn = new Uint8Array(frameBytes)

    it("finds nothing wrong with a clause that goes on where the caller was, in the middle of a frame or not", () => {
      expect(cleared(clause(0, 8), clause(5, 11)).contentErrors).toBe(0)
      expect(cleared(clause(0, 8), clause(9, 11)).contentErrors).toBe(0)
      expect(cleared(clause(0, 5), [torn, torn, ...clause(8, 11)]).contentErrors).toBe(0)
      expect(cleared(clause(0, 5), [torn, torn, torn, frame(7, 0, 6)]).contentErrors).toBe(0)
    })

    it("counts frames that are left out, and a clause that begins in its middle", () => {
      expect(cleared(clause(0, 5), clause(8, 11)).errors.lost).toBe(2)
      expect(cleared(clause(0, 5), [frame(7, 2, 6)]).errors.lost).toBe(2)
    })
  })

  it("runs dry when a frame of a clause comes after the one before was played", () => {
    const tally = heard([
      [frame(7, 0), 0],
      [frame(7, 1), 19],
      [frame(7, 2), 41]
    ])
    expect(tally.underruns).toBe(1)
  })
})

describe("a caller of a crowd", () => {
  const companyOf = (tally: Tally, talks: boolean): Company => ({
    clips: { callers: [new Uint8Array(frameBytes * 10)], agent: [], noise: ["noise"] },
    tally,
    stamps: new Stamps(),
    interruptEvery: 0,
    patienceMs: 8_000,
    check: true,
    talks
  })
  /** Later than everything that is received: that is timed by the clock of the process. */
  const startMs = performance.now() + 60_000
  const ticked = (member: Member, seconds: number, fromMs = startMs) => {
    for (let ms = 0; ms <= seconds * 1_000; ms += 20) member.tick(fromMs + ms)
  }

  it.each([true, false])("that hears nothing for 20 s has an error (talks: %s)", (talks) => {
    const tally = new Tally()
    ticked(new Member(7, "MZ7", companyOf(tally, talks)), 20)
    expect(tally.errors.unanswered).toBe(1)
    expect(tally.notes[0]).toContain("did not hear the disclosure and the welcome")
  })

  it("has some time until the disclosure and the welcome have been heard", () => {
    const tally = new Tally()
    ticked(new Member(7, "MZ7", companyOf(tally, true)), 14)
    expect(tally.contentErrors).toBe(0)
  })

  const told = (member: Member, message: object) => {
    const text = Buffer.from(JSON.stringify({ streamSid: "MZ7", ...message }))
    member.receive(text, 0, text.length)
  }
  const marked = (member: Member, name: string) => told(member, { event: "mark", mark: { name } })
  /** Frames `from` to `to` of a line of four that all callers hear. */
  const said = (member: Member, utterance: number, from = 0, to = 3) => {
    const bytes = Buffer.alloc(frameBytes)
    for (let index = from; index <= to; index++) {
      stamp(bytes, 0, { caller: 0, utterance, index, total: 4 })
      told(member, { event: "media", media: { payload: bytes.toString("base64") } })
    }
  }

  it("has no error on a silent line when the opening was heard", () => {
    const tally = new Tally()
    const member = new Member(7, "MZ7", companyOf(tally, false))
    for (const [index, name] of ["disclosure", "welcome"].entries()) {
      said(member, index)
      marked(member, name)
    }
    ticked(member, 60)
    expect(tally.contentErrors).toBe(0)
  })

  /** A caller who has heard the opening, and asks its questions. */
  const asking = (tally: Tally, interruptEvery: number) => {
    const member = new Member(7, "MZ7", { ...companyOf(tally, true), interruptEvery, patienceMs: 300_000 })
    let nowMs = startMs
    member.send = () => undefined
    const hears = (ms: number) => {
      for (const until = nowMs + ms; nowMs < until; nowMs += 20) member.tick(nowMs)
    }
    for (const [index, name] of ["disclosure", "welcome"].entries()) {
      said(member, index)
      marked(member, name)
    }
    /** Frames `from` to `to` of the four of a clause of the answer to `turn`. */
    const answers = (turn: number, clause: number, from = 0, to = 3) => {
      const bytes = Buffer.alloc(frameBytes)
      for (let index = from; index <= to; index++) {
        stamp(bytes, 0, { caller: 7, utterance: (turn << 2) | clause, index, total: 4 })
        told(member, { event: "media", media: { payload: bytes.toString("base64") } })
      }
    }
    const heardSoft = () =>
      told(member, { event: "media", media: { payload: Buffer.alloc(frameBytes).toString("base64") } })
    return { member, hears, answers, heardSoft }
  }

  it("hears both clauses of an answer before it asks again, though a clause that it has interrupted ended meanwhile", () => {
    const tally = new Tally()
    const { member, hears, answers, heardSoft } = asking(tally, 8)
    hears(1_000)
    expect(member.turns).toBe(1)
    answers(1, 1, 0, 1)
    hears(60)
    expect([member.turns, [...member.interrupted]]).toEqual([2, [1]])
    told(member, { event: "clear" })
    heardSoft()
    marked(member, "g1:0")
    hears(1_000)
    answers(2, 1)
    marked(member, "g1:1")
    hears(400)
    expect(member.turns).toBe(2)
    answers(2, 2)
    marked(member, "g1:2")
    hears(400)
    expect([member.turns, tally.contentErrors]).toEqual([3, 0])
  })

  it("has an error when the agent goes on with the answer before, once the next question is asked", () => {
    for (const goesOn of ["in a frame", "between two"] as const) {
      const tally = new Tally()
      const { hears, answers, heardSoft } = asking(tally, 8)
      hears(1_000)
      answers(1, 1, 0, 1)
      hears(800)
      expect(tally.contentErrors).toBe(0)
      hears(1_000)
      if (goesOn === "in a frame") heardSoft()
      else answers(1, 1, 2, 3)
      expect(tally.errors.stale).toBe(1)
      expect(tally.notes.join()).toContain("in turn 2 heard an answer to turn 1")
    }
  })

  it("has an error when the mark of a clause comes, and nothing of its sound", () => {
    const tally = new Tally()
    const member = new Member(7, "MZ7", companyOf(tally, false))
    said(member, 0)
    marked(member, "disclosure")
    marked(member, "welcome")
    expect(tally.errors.lost).toBe(1)
    expect(tally.notes[0]).toContain("mark welcome came without a clause before it")
  })

  it("has an error when the mark comes before the clause is whole", () => {
    const tally = new Tally()
    const member = new Member(7, "MZ7", companyOf(tally, false))
    said(member, 0, 0, 2)
    marked(member, "disclosure")
    expect(tally.errors.lost).toBe(1)
  })

  it("has no error while a clause continues after a clear with unreadable frames, until one clause was whole again", () => {
    const tally = new Tally()
    const member = new Member(7, "MZ7", companyOf(tally, false))
    said(member, 0, 0, 1)
    told(member, { event: "clear" })
    marked(member, "rest")
    said(member, 1)
    marked(member, "whole")
    expect(tally.contentErrors).toBe(0)
    marked(member, "missing")
    expect(tally.errors.lost).toBe(1)
  })
})
