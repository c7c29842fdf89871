import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { BYTES_PER_MS, FRAME_BYTES, SILENCE } from "../../../src/audio/frames/Frame.ts"
import { wordsWithin } from "../../../src/audio/playout/Heard.ts"
import { Playout } from "../../../src/audio/playout/Playout.ts"

const audio = (ms: number, value = 1) => new Uint8Array(ms * BYTES_PER_MS).fill(value)
const say = (playout: Playout, text: string, ms: number, value = 1) => {
  playout.begin(text)
  playout.append(audio(ms, value))
  playout.end()
}
/** Sends up to `frames` frames, and returns them with the marks that fell due. */
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
    expect([playout.drained, playout.idle, playout.queuedMs]).toEqual([true, false, 0])
    expect(playout.markEchoed(marks[0])).toBe(true)
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

  it("counts nothing as heard for the echo of a discarded or unknown mark", () => {
    const playout = new Playout()
    say(playout, "first thing", 40)
    const [old] = send(playout).marks
    playout.clear(0)
    say(playout, "second thing", 40)
    for (const name of [old, "g1:1", "g1:99", "hello", ""]) expect(playout.markEchoed(name)).toBe(false)
    const [mark] = send(playout).marks
    expect(mark).toBe("g1:1")
    expect(playout.markEchoed(mark)).toBe(true)
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
    expect(playout.markEchoed(marks[0])).toBe(true)
    // 1.3 of 2.6 s were heard: 13 of 26 characters.
    expect(playout.heard(0)).toEqual({ text: "Good morning. We have one", complete: false })
    expect(playout.clear(0).text).toBe("Good morning. We have one")
    expect(playout.heard(0)).toEqual({ text: "", complete: true })
  })

  it("counts audio that was not sent as not heard", () => {
    const playout = new Playout({ leadMs: 0 })
    say(playout, "all of this is queued", 5_000)
    expect(playout.heard(0)).toEqual({ text: "", complete: false })
  })

  it("counts what the provider still plays after the last frame as heard", () => {
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

  describe("the play-out, when the caller only seems to interrupt,", () => {
    /** Every 20 ms one frame, as on a line whose provider is `leadMs` ahead, until `untilMs`. */
    const play = (playout: Playout, fromMs: number, untilMs: number) => {
      const out = new Uint8Array(FRAME_BYTES)
      const heads: Array<number> = []
      for (let now = fromMs; now < untilMs; now += 20) if (playout.next(out, now)) heads.push(out[0])
      return heads
    }
    /** Four words of 400 ms each, of which every frame has its own number. */
    const fourWords = (leadMs = 0) => {
      const playout = new Playout({ leadMs })
      playout.begin("aaa bbb ccc ddd")
      for (let frame = 0; frame < 75; frame++) playout.append(audio(20, frame))
      playout.end()
      return playout
    }

    it("goes on with the word that was cut off", () => {
      const playout = fourWords()
      expect(play(playout, 0, 1_000)).toHaveLength(50)
      // 1000 of 1500 ms: 10 of 15 characters.
      expect(playout.pause(1_000)).toEqual({ text: "aaa bbb", complete: false })
      // 700 of 1500 ms are behind it.
      expect([playout.paused, playout.queuedMs]).toEqual([true, 800])
      expect(play(playout, 1_000, 3_000)).toEqual([])
      playout.resume()
      expect(playout.paused).toBe(false)
      expect(play(playout, 3_000, 3_020)).toEqual([35])
      expect(playout.heard(3_020).text).toBe("aaa bbb")
      play(playout, 3_020, 5_000)
      expect([playout.drained, playout.idle]).toEqual([true, false])
      expect(playout.takeMark()).toBe("g1:0")
      expect(playout.markEchoed("g1:0")).toBe(true)
      expect([playout.idle, playout.heard(5_000)]).toEqual([true, { text: "aaa bbb ccc ddd", complete: true }])
    })

    it("sends again what the provider dropped, from where the caller is, when it is only made softer", () => {
      const playout = fourWords(100)
      expect(play(playout, 0, 1_000)).toHaveLength(50)
      // The provider was 100 ms ahead of the caller with the last frame, 20 ms ago.
      playout.rewind(1_000)
      expect(playout.paused).toBe(false)
      expect(playout.queuedMs).toBe(580)
      expect(playout.heard(1_000)).toEqual({ text: "aaa bbb", complete: false })
      expect(play(playout, 1_000, 1_040)).toEqual([46, 47])
      // Nothing was played since, so the second time repeats nothing either.
      playout.rewind(1_000)
      expect(playout.queuedMs).toBe(580)
      play(playout, 1_000, 3_000)
      expect(playout.markEchoed("g0:0")).toBe(false)
      expect(playout.takeMark()).toBe("g2:0")
      expect(playout.markEchoed("g2:0")).toBe(true)
      expect([playout.idle, playout.heard(3_000)]).toEqual([true, { text: "aaa bbb ccc ddd", complete: true }])
    })

    it("says a clause whose mark the provider dropped once, though its end was sent and not heard yet", () => {
      const playout = new Playout({ leadMs: 100 })
      say(playout, "one", 400)
      const out = new Uint8Array(FRAME_BYTES)
      for (let now = 0; now < 400; now += 20) playout.next(out, now)
      expect(playout.takeMark()).toBe("g0:0")
      playout.rewind(400)
      expect(playout.queuedMs).toBe(80)
      expect(playout.takeMark()).toBeUndefined()
      for (let now = 400; now < 480; now += 20) playout.next(out, now)
      expect(playout.takeMark()).toBe("g1:0")
    })

    it("goes on in the quiet before the word, though words do not last as long as they are written", () => {
      const playout = new Playout({ leadMs: 0 })
      playout.begin("one two")
      playout.append(Uint8Array.from([...audio(300), ...audio(40, SILENCE), ...audio(700)]))
      playout.end()
      play(playout, 0, 800)
      expect(playout.pause(800).text).toBe("one")
      // Three of seven characters would be at 445 ms, in the middle of "two".
      expect(playout.queuedMs).toBeLessThanOrEqual(1_040 - 300)
      expect(playout.queuedMs).toBeGreaterThanOrEqual(1_040 - 325)
      playout.resume()
      // However often it happens, the play-out never goes further back.
      const { queuedMs } = playout
      play(playout, 1_000, 1_020)
      playout.pause(1_020)
      expect(playout.queuedMs).toBeLessThanOrEqual(queuedMs)
    })

    it("speaks again what the provider had in its buffer, from the start of the sentence if it was not begun", () => {
      const playout = new Playout({ leadMs: 100 })
      say(playout, "first", 200, 1)
      say(playout, "second", 200, 2)
      for (let i = 0, out = new Uint8Array(FRAME_BYTES); i < 14; i++) playout.next(out, Math.max(0, i - 4) * 20)
      expect(playout.takeMark()).toBe("g0:0")
      // 280 ms were sent, but 100 ms of them are still at the provider.
      expect(playout.pause(180)).toEqual({ text: "", complete: false })
      expect(playout.queuedMs).toBe(400)
      expect(playout.markEchoed("g0:0")).toBe(false)
      playout.resume()
      expect(send(playout)).toEqual({ bytes: [...audio(200, 1), ...audio(200, 2)], marks: ["g1:0", "g1:1"] })
    })

    it("does not repeat a sentence whose end was heard", () => {
      const playout = new Playout({ leadMs: 0 })
      say(playout, "first", 200, 1)
      say(playout, "second", 200, 2)
      play(playout, 0, 200)
      expect(playout.pause(200)).toEqual({ text: "first", complete: false })
      playout.resume()
      expect(send(playout)).toEqual({ bytes: [...audio(200, 2)], marks: ["g1:1"] })
      expect(playout.markEchoed("g1:1")).toBe(true)
      expect([playout.idle, playout.heard(600).text]).toEqual([true, "first second"])
    })

    it("accepts more audio while it waits, and counts none of it as heard", () => {
      const playout = new Playout({ leadMs: 0 })
      playout.begin("hello out there")
      playout.append(audio(400, 1))
      play(playout, 0, 400)
      expect(playout.pause(400).text).toBe("hello")
      playout.append(audio(40, 2))
      playout.end()
      say(playout, "and more", 100, 3)
      expect(playout.heard(9_000)).toEqual({ text: "hello", complete: false })
      playout.resume()
      const { bytes } = send(playout)
      expect(bytes.filter((byte) => byte === 2)).toHaveLength(40 * BYTES_PER_MS)
      expect(bytes.filter((byte) => byte === 3)).toHaveLength(100 * BYTES_PER_MS)
      expect(playout.heard(0).text).toBe("hello out there and more")
    })

    it("becomes idle after the pause when nothing is left to say, although no mark is echoed any more", () => {
      const playout = new Playout({ leadMs: 0 })
      say(playout, "bye", 100)
      play(playout, 0, 100)
      expect(playout.idle).toBe(false)
      expect(playout.pause(200)).toEqual({ text: "bye", complete: true })
      expect([playout.drained, playout.idle]).toEqual([true, false])
      playout.resume()
      expect(playout.idle).toBe(true)
    })

    it("says what was heard before the pause also when another sentence has begun since", () => {
      const playout = new Playout({ leadMs: 0 })
      say(playout, "first", 100)
      play(playout, 0, 100)
      playout.pause(200)
      say(playout, "second", 100)
      expect(playout.clear(9_000)).toEqual({ text: "first", complete: false })
    })

    it("drops the rest when the caller really interrupts", () => {
      const playout = fourWords()
      play(playout, 0, 1_000)
      playout.pause(1_000)
      expect(playout.clear(4_000)).toEqual({ text: "aaa bbb", complete: false })
      expect([playout.paused, playout.idle, playout.queuedMs]).toEqual([false, true, 0])
      say(playout, "Yes?", 20, 7)
      expect(send(playout).bytes).toEqual([...audio(20, 7)])
    })

    it("pausing twice, or resuming what was not paused, changes nothing", () => {
      const playout = fourWords(100)
      playout.resume()
      play(playout, 0, 1_100)
      const heard = playout.pause(1_080)
      expect(heard.text).toBe("aaa bbb")
      expect(playout.pause(1_500)).toEqual(heard)
      expect(playout.queuedMs).toBe(800)
      playout.resume()
      playout.resume()
      // Nothing was sent in between: the same word again.
      expect(playout.pause(1_600)).toEqual(heard)
      expect(playout.queuedMs).toBe(800)
      playout.resume()
      // Two of the three pauses were one.
      expect(send(playout).marks).toEqual(["g2:0"])
    })

    it("does not take back a word because the sentence turned out longer, nor skip any of it", () => {
      const playout = new Playout({ leadMs: 0 })
      playout.begin("hello out there")
      playout.append(audio(420, 1))
      play(playout, 0, 420)
      expect(playout.pause(420).text).toBe("hello")
      playout.append(audio(3_000, 2))
      playout.resume()
      const { queuedMs } = playout
      expect(playout.pause(500).text).toBe("hello")
      expect(playout.queuedMs).toBe(queuedMs)
    })

    it("keeps no more than three seconds of what was heard, however long the sentence and silent the provider", () => {
      const playout = new Playout({ leadMs: 100 })
      playout.begin("z".repeat(1_000))
      playout.append(audio(60_000))
      play(playout, 0, 40_000)
      playout.pause(40_000)
      expect(playout.queuedMs).toBeLessThanOrEqual(60_000 - (40_000 - 3_000 - 120))
      playout.resume()
      expect(playout.next(new Uint8Array(FRAME_BYTES), 40_000)).toBe(true)
    })

    type Step =
      | { readonly do: "say"; readonly words: ReadonlyArray<string>; readonly characterMs: number }
      | { readonly do: "play" | "pause"; readonly ticks: ReadonlyArray<number> }
    const step: fc.Arbitrary<Step> = fc.oneof(
      fc.record({
        do: fc.constant("say" as const),
        words: fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1, maxLength: 8 }),
        characterMs: fc.integer({ min: 20, max: 130 })
      }),
      {
        weight: 3,
        arbitrary: fc.record({ do: fc.constant("play" as const), ticks: fc.array(fc.nat(70), { maxLength: 40 }) })
      },
      {
        weight: 3,
        arbitrary: fc.record({ do: fc.constant("pause" as const), ticks: fc.array(fc.nat(70), { maxLength: 5 }) })
      }
    )

    it("the caller hears every byte in order: nothing lost, and at most the word that was cut off twice", () => {
      fc.assert(
        fc.property(
          fc.array(step, { maxLength: 30 }),
          fc.boolean(),
          fc.integer({ min: 8, max: 90 }),
          (steps, echoes, chunkMs) => {
            const leadMs = 100
            const playout = new Playout({ leadMs })
            const out = new Uint8Array(FRAME_BYTES)
            /** All audio synthesized so far. It never holds the byte of silence, which marks padding only. */
            const original: Array<number> = []
            /** The audio that the synthesis has not delivered yet, piece by piece. */
            const synthesis: Array<{ readonly text: string; left: number; begun: boolean }> = []
            /** The provider: plays bytes in real time, echoes a mark when all before it was played. */
            let buffer: Array<number | string> = []
            let now = 1_000
            let playingUntil = 0
            /** How much of `original` the caller has heard, and where the present run of the play-out began in it. */
            let heard = 0
            let runStart = 0
            let runTexts: Array<string> = []
            let claimed = ""
            let longestWordBytes = 0

            const hear = (bytes: number) => {
              let left = bytes
              while (buffer.length > 0 && (left > 0 || typeof buffer[0] === "string")) {
                const item = buffer.shift()
                if (typeof item === "string") {
                  if (echoes) expect(playout.markEchoed(item)).toBe(true)
                  continue
                }
                left--
                if (item === SILENCE) continue
                if (item !== original[heard]) throw new Error(`byte ${heard} of ${original.length} is wrong`)
                heard++
              }
            }
            const synthesize = () => {
              const clause = synthesis[0]
              if (clause === undefined) return
              if (!clause.begun) {
                if (playout.idle) {
                  runStart = original.length
                  runTexts = []
                  claimed = ""
                }
                playout.begin(clause.text)
                runTexts.push(clause.text)
                clause.begun = true
              }
              const piece = Uint8Array.from(
                { length: Math.min(clause.left, chunkMs * BYTES_PER_MS) },
                (_, i) => ((original.length + i) * 7) % 251
              )
              for (const byte of piece) original.push(byte)
              playout.append(piece)
              clause.left -= piece.length
              if (clause.left > 0) return
              playout.end()
              synthesis.shift()
            }
            const tick = (ms: number) => {
              hear(ms * BYTES_PER_MS)
              now += ms
              synthesize()
              if (playingUntil < now) playingUntil = now
              while (playingUntil - now < leadMs && playout.next(out, now)) {
                buffer.push(...out)
                playingUntil += 20
                for (let mark = playout.takeMark(); mark !== undefined; mark = playout.takeMark()) buffer.push(mark)
              }
              for (let mark = playout.takeMark(); mark !== undefined; mark = playout.takeMark()) buffer.push(mark)
              const { text, complete } = playout.heard(now)
              // Text that a pause reported as heard stays heard, and each word counts once.
              expect(text.startsWith(claimed)).toBe(true)
              expect(runTexts.join(" ").startsWith(text)).toBe(true)
              if (complete) expect(text).toBe(runTexts.join(" "))
              expect(playout.queuedMs).toBeLessThanOrEqual((original.length - runStart) / BYTES_PER_MS)
            }
            for (const step of steps) {
              if (step.do === "say") {
                const text = step.words.join(" ")
                synthesis.push({ text, left: text.length * step.characterMs * BYTES_PER_MS, begun: false })
                const wordBytes =
                  (Math.max(...step.words.map((word) => word.length)) + 1) *
                  Math.max(step.characterMs, 70) *
                  BYTES_PER_MS
                longestWordBytes = Math.max(longestWordBytes, wordBytes)
              } else if (step.do === "play") for (const ms of step.ticks) tick(ms)
              else {
                const { text } = playout.pause(now)
                claimed = text
                // The provider drops its buffer and echoes the marks in it at once.
                for (const item of buffer) if (typeof item === "string") expect(playout.markEchoed(item)).toBe(false)
                buffer = []
                playingUntil = 0
                const goesOnAt = original.length - playout.queuedMs * BYTES_PER_MS
                expect(goesOnAt).toBeLessThanOrEqual(heard)
                expect(heard - goesOnAt).toBeLessThanOrEqual(longestWordBytes + (leadMs + 300) * BYTES_PER_MS)
                heard = goesOnAt
                for (const ms of step.ticks) {
                  tick(ms)
                  expect(playout.heard(now).text).toBe(text)
                }
                playout.resume()
              }
            }
            for (let i = 0; synthesis.length > 0 || playout.queuedMs > 0; i++) {
              if (i > 100_000) throw new Error("it never ends")
              tick(20)
            }
            tick(leadMs + 20)
            expect(heard).toBe(original.length)
            expect(playout.heard(now)).toEqual({ text: runTexts.join(" "), complete: true })
            if (echoes) expect(playout.idle).toBe(true)
          }
        ),
        { numRuns: 100 }
      )
    })
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

  it("sends all bytes in order, without loss or repetition, and reports a prefix of the text as heard, whatever happens", () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 25 }), fc.integer({ min: 0, max: 300 }), (commands, leadMs) => {
        const playout = new Playout({ leadMs })
        let counter = 0
        let expected: Array<number> = []
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
            let padding = 0
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
            if (mark !== undefined) expect(playout.markEchoed(mark)).toBe(true)
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
