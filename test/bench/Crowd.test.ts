import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Company, Member } from "../../bench/crowd/Member.ts"
import { Playout } from "../../bench/crowd/Playout.ts"
import { Stamps } from "../../bench/crowd/Stamps.ts"
import { Tally } from "../../bench/crowd/Tally.ts"
import { frameBytes, newMark, readMark, readSampleMark, stamp } from "../../bench/crowd/Watermark.ts"
import { answerClause, clauses, question, readAnswerClause, readQuestion, subjectsIn } from "../../bench/crowd/Words.ts"
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
