import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { BYTES_PER_MS, FRAME_BYTES, SILENCE } from "../../src/audio/Frame.ts"
import { wordsWithin } from "../../src/audio/Heard.ts"
import { Playout } from "../../src/audio/Playout.ts"

const audio = (ms: number, value = 1) => new Uint8Array(ms * BYTES_PER_MS).fill(value)
const say = (playout: Playout, text: string, ms: number, value = 1) => {
  playout.begin(text)
  playout.append(audio(ms, value))
  playout.end()
}
/** Sends up to `frames` frames and gives them, with the marks that fell due. */
const send = (playout: Playout, frames = Number.POSITIVE_INFINITY) => {
  const out = new Uint8Array(FRAME_BYTES)
  const bytes: Array<number> = []
  const marks: Array<string> = []
  const take = () => {
    for (let mark = playout.takeMark(); mark !== undefined; mark = playout.takeMark()) marks.push(mark)
  }
  for (let i = 0; i < frames && playout.next(out); i++) {
    bytes.push(...out)
    take()
  }
  take()
  return { bytes, marks }
}

describe("Playout", () => {
  it("plays clauses without a gap and fills up only the last frame", () => {
    const playout = new Playout()
    say(playout, "one", 30, 1)
    say(playout, "two", 30, 2)
    playout.begin("three")
    playout.append(audio(15, 3))
    const { bytes, marks } = send(playout)
    expect(bytes).toEqual([...audio(30, 1), ...audio(30, 2)])
    expect(marks).toEqual(["g0:0", "g0:1"])
    expect(playout.next(new Uint8Array(FRAME_BYTES))).toBe(false)
    playout.end()
    expect(send(playout)).toEqual({ bytes: [...audio(15, 3), ...audio(5, SILENCE)], marks: ["g0:2"] })
  })

  it("is drained when all is sent, idle only when all has been heard", () => {
    const playout = new Playout()
    expect(playout.idle).toBe(true)
    say(playout, "hello", 40)
    expect(playout.queuedMs).toBe(40)
    const { marks } = send(playout)
    expect([playout.drained, playout.idle, playout.sentMs]).toEqual([true, false, 40])
    expect(playout.markEchoed(marks[0], 0)).toBe(true)
    expect(playout.idle).toBe(true)
    expect(playout.heard(0)).toEqual({ text: "hello", complete: true })
  })

  it("gives the mark of a clause whose end was only learned after its audio was sent", () => {
    const playout = new Playout()
    playout.begin("hello")
    playout.append(audio(40))
    expect(send(playout).marks).toEqual([])
    playout.end()
    expect(send(playout).marks).toEqual(["g0:0"])
  })

  it("does not take the echo of a discarded mark, or a foreign one, for heard", () => {
    const playout = new Playout()
    say(playout, "first thing", 40)
    const [old] = send(playout).marks
    playout.clear(0)
    expect(playout.generation).toBe(1)
    say(playout, "second thing", 40)
    for (const name of [old, "g1:1", "g1:99", "hello", ""]) expect(playout.markEchoed(name, 0)).toBe(false)
    const [mark] = send(playout).marks
    expect(playout.markEchoed(mark, 0)).toBe(true)
  })

  it("drops audio that still comes for a clause that was cleared", () => {
    const playout = new Playout()
    playout.begin("old")
    playout.append(audio(40))
    playout.clear(0)
    playout.append(audio(40))
    playout.end()
    expect(playout.idle).toBe(true)
    expect(send(playout).bytes).toEqual([])
  })

  it("says at which word the caller interrupted", () => {
    const playout = new Playout({ leadMs: 100 })
    say(playout, "Good morning.", 600)
    say(playout, "We have one two three four", 2_600)
    const { marks } = send(playout, (600 + 1_400) / 20)
    expect(playout.markEchoed(marks[0], 0)).toBe(true)
    // 1.3 of 2.6 s were heard: 13 of 26 characters.
    expect(playout.heard(0)).toEqual({ text: "Good morning. We have one", complete: false })
    expect(playout.clear(0).text).toBe("Good morning. We have one")
    expect(playout.heard(0)).toEqual({ text: "", complete: true })
  })

  it("counts nothing as heard that was made but not sent", () => {
    const playout = new Playout({ leadMs: 0 })
    say(playout, "all of this is queued", 5_000)
    expect(playout.heard(0)).toEqual({ text: "", complete: false })
  })

  it("goes on hearing what the provider still has to play after the last frame", () => {
    const playout = new Playout({ leadMs: 100 })
    say(playout, "hello there", 200)
    for (let i = 0, out = new Uint8Array(FRAME_BYTES); i < 10; i++) playout.next(out, i * 20)
    expect(playout.heard(180).text).toBe("hello")
    expect(playout.heard(280)).toEqual({ text: "hello there", complete: true })
  })

  it("a clause that could not be spoken was not said", () => {
    const playout = new Playout({ leadMs: 0 })
    say(playout, "lost", 0)
    say(playout, "said", 40)
    send(playout)
    expect(playout.heard(0)).toEqual({ text: "said", complete: true })
  })

  type Command =
    | { readonly do: "say"; readonly text: string; readonly sizes: ReadonlyArray<number> }
    | { readonly do: "send"; readonly frames: number }
    | { readonly do: "echo" }
    | { readonly do: "clear" }
  const word = fc.stringMatching(/^[a-zé।]{1,7}$/)
  const command: fc.Arbitrary<Command> = fc.oneof(
    fc.record({
      do: fc.constant("say" as const),
      text: fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(" ")),
      sizes: fc.array(fc.integer({ min: 0, max: 70_000 }), { maxLength: 3 })
    }),
    fc.record({ do: fc.constant("send" as const), frames: fc.nat(300) }),
    fc.record({ do: fc.constant("echo" as const) }),
    fc.record({ do: fc.constant("clear" as const) })
  )

  it("whatever happens: bytes in order, none lost or repeated; what was heard is a beginning of what was said", () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 25 }), fc.integer({ min: 0, max: 300 }), (commands, leadMs) => {
        const playout = new Playout({ leadMs })
        let counter = 0
        let expected: Array<number> = []
        let padding = 0
        let texts: Array<string> = []
        let marks: Array<string> = []
        for (const command of commands) {
          if (command.do === "say") {
            if (playout.idle) texts = []
            playout.begin(command.text)
            for (const size of command.sizes) {
              const bytes = Uint8Array.from({ length: size }, () => counter++ % 251)
              for (const byte of bytes) expected.push(byte)
              playout.append(bytes)
            }
            playout.end()
            if (command.sizes.some((size) => size > 0)) texts.push(command.text)
          } else if (command.do === "send") {
            const out = new Uint8Array(FRAME_BYTES)
            let good = true
            for (let i = 0; i < command.frames && playout.next(out); i++) {
              const piece = expected.splice(0, FRAME_BYTES)
              padding = FRAME_BYTES - piece.length
              good &&= out.every((byte, at) => byte === (at < piece.length ? piece[at] : SILENCE))
            }
            expect(good).toBe(true)
            if (expected.length > 0) expect(padding).toBe(0)
            for (let mark = playout.takeMark(); mark !== undefined; mark = playout.takeMark()) marks.push(mark)
          } else if (command.do === "echo") {
            const mark = marks.shift()
            if (mark !== undefined) expect(playout.markEchoed(mark, 0)).toBe(true)
          } else {
            playout.clear(0)
            expected = []
            texts = []
            marks = []
          }
          const all = texts.join(" ")
          const { text, complete } = playout.heard(0)
          expect(all.startsWith(text)).toBe(true)
          expect(text === "" || text.length === all.length || all[text.length] === " ").toBe(true)
          if (complete) expect(text).toBe(all)
          expect(playout.queuedMs).toBe(expected.length / BYTES_PER_MS)
          if (playout.idle) expect(complete).toBe(true)
        }
      }),
      { numRuns: 60 }
    )
  })
})

describe("wordsWithin", () => {
  it.each([
    [0, ""],
    [0.3, ""],
    [0.5, "नमस्ते"],
    [0.99, "नमस्ते"],
    [1, "नमस्ते जी।"]
  ])("%f of a text, rounded down to a word", (fraction, heard) => {
    expect(wordsWithin("नमस्ते जी।", fraction === 0.5 ? 0.61 : fraction)).toBe(heard)
  })
})
