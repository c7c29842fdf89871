import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Turn, TurnEvent } from "../../src/audio/Turn.ts"
import { VadEvent } from "../../src/audio/Vad.ts"

const options = { minSilenceMs: 400, maxSilenceMs: 2_500, minSpeechMs: 200, interruptible: true }
/** How the detector reports speech: sure after 3 voiced frames, silence sure after 10 unvoiced ones. */
const START_FRAMES = 3
const STOP_FRAMES = 10

type Happening = readonly [atMs: number, event: string, text?: string]
const names = new Map<number, string>(Object.entries(TurnEvent).map(([name, value]) => [value, name]))

/** A call with its caller and its speech-to-text on a script: frames every 20 ms, transcripts at their time. */
const play = (script: {
  /** When the caller's voice is heard: [from, until) in ms. */
  readonly voiced: ReadonlyArray<readonly [fromMs: number, untilMs: number]>
  readonly transcripts?: ReadonlyArray<readonly [atMs: number, text: string]>
  /** When the agent is heard. */
  readonly agent?: ReadonlyArray<readonly [fromMs: number, untilMs: number]>
  readonly untilMs: number
  readonly options?: Partial<typeof options>
}) => {
  const turn = new Turn({ ...options, ...script.options })
  const happened: Array<Happening> = []
  const note = (atMs: number, event: TurnEvent) => {
    if (event === TurnEvent.None) return
    const name = names.get(event) ?? "?"
    happened.push(event === TurnEvent.TurnEnded ? [atMs, name, turn.takeText()] : [atMs, name])
  }
  const within = (spans: ReadonlyArray<readonly [number, number]> | undefined, ms: number) =>
    spans?.some(([from, until]) => ms >= from && ms < until) ?? false
  const transcripts = [...(script.transcripts ?? [])].sort((a, b) => a[0] - b[0])
  let speaking = false
  let count = 0
  for (let ms = 0; ms <= script.untilMs; ms += 20) {
    turn.agentSpeaking = within(script.agent, ms)
    const voiced = within(script.voiced, ms)
    count = voiced === speaking ? 0 : count + 1
    let event: VadEvent = VadEvent.None
    if (count === (speaking ? STOP_FRAMES : START_FRAMES)) {
      speaking = !speaking
      count = 0
      event = speaking ? VadEvent.SpeechStarted : VadEvent.SpeechStopped
    }
    note(ms, turn.step(event, voiced, ms))
    while (transcripts.length > 0 && transcripts[0][0] <= ms) note(ms, turn.transcript(transcripts.shift()![1], ms))
  }
  return { turn, happened, ended: happened.filter(([, event]) => event === "TurnEnded") }
}

describe("end of the caller's turn", () => {
  it("is 400 ms after the last voice when the transcript was faster", () => {
    const { happened } = play({ voiced: [[1_000, 2_000]], transcripts: [[2_300, "hello"]], untilMs: 8_000 })
    expect(happened).toEqual([
      [1_040, "SpeechStarted"],
      [2_180, "SpeechPaused"],
      [2_380, "TurnEnded", "hello"]
    ])
  })

  it("is when the transcript comes if that is later: delays are never added up", () => {
    const { ended } = play({ voiced: [[1_000, 2_000]], transcripts: [[2_900, "hello"]], untilMs: 8_000 })
    expect(ended).toEqual([[2_900, "TurnEnded", "hello"]])
  })

  it("joins what was said between pauses", () => {
    const { ended } = play({
      voiced: [
        [1_000, 2_000],
        [2_300, 3_000],
        [3_300, 4_000]
      ],
      transcripts: [
        [2_250, "I want"],
        [3_260, " a table "],
        [4_250, "for two"]
      ],
      untilMs: 9_000
    })
    expect(ended).toEqual([[4_380, "TurnEnded", "I want a table for two"]])
  })

  it("does not answer the text of an earlier pause while that of the last one is on its way", () => {
    // The first final comes late, after the second pause; the second one even later.
    const { ended } = play({
      voiced: [
        [1_000, 2_000],
        [2_400, 3_000]
      ],
      transcripts: [
        [3_250, "I want"],
        [4_000, "to cancel"]
      ],
      untilMs: 9_000
    })
    expect(ended).toEqual([[4_000, "TurnEnded", "I want to cancel"]])
  })

  it("does not wait for a missing transcript longer than the maximal silence", () => {
    const { ended } = play({
      voiced: [
        [1_000, 2_000],
        [2_400, 3_000]
      ],
      transcripts: [[3_250, "only one"]],
      untilMs: 9_000
    })
    expect(ended).toHaveLength(1)
    expect(ended[0][0]).toBeGreaterThanOrEqual(2_980 + 2_500)
    expect(ended[0][0]).toBeLessThanOrEqual(3_250 + 2_500 + 20)
  })

  it("an empty transcript neither ends a turn nor stalls it", () => {
    const { ended } = play({
      voiced: [
        [1_000, 2_000],
        [2_300, 3_000]
      ],
      transcripts: [
        [2_250, "hello"],
        [3_250, ""]
      ],
      untilMs: 9_000
    })
    expect(ended).toEqual([[3_380, "TurnEnded", "hello"]])
  })

  it("never comes while the caller speaks", () => {
    const { ended } = play({
      voiced: [
        [1_000, 2_000],
        [2_500, 9_000]
      ],
      transcripts: [
        [2_600, "well"],
        [9_300, "that was long"]
      ],
      untilMs: 12_000
    })
    expect(ended).toEqual([[9_380, "TurnEnded", "well that was long"]])
  })

  it("a transcript after the turn was taken is a turn of its own, answered once", () => {
    const { ended } = play({
      voiced: [
        [1_000, 2_000],
        [2_400, 3_000]
      ],
      transcripts: [
        [3_250, "first"],
        [6_500, "second"]
      ],
      untilMs: 15_000
    })
    expect(ended.map(([, , text]) => text)).toEqual(["first", "second"])
  })

  it("noise that goes on and off does not postpone it for ever", () => {
    const blips = Array.from({ length: 40 }, (_, i) => [2_300 + i * 400, 2_400 + i * 400] as const)
    const { ended } = play({ voiced: [[1_000, 2_000], ...blips], transcripts: [[2_280, "hello"]], untilMs: 15_000 })
    expect(ended[0]?.[2]).toBe("hello")
    expect(ended[0][0]).toBeLessThanOrEqual(2_280 + 2_500 + 20)
  })

  it("is given up when no transcript ever comes, once, and a later one still counts", () => {
    const { happened } = play({ voiced: [[1_000, 2_000]], transcripts: [[9_000, "hello"]], untilMs: 12_000 })
    expect(happened.slice(2)).toEqual([
      [1_980 + 2_500 + 1_500, "TurnLost"],
      [9_000, "TurnEnded", "hello"]
    ])
  })

  it("noise alone is given up too, however long it goes on", () => {
    const blips = Array.from({ length: 40 }, (_, i) => [1_000 + i * 500, 1_100 + i * 500] as const)
    const { happened } = play({ voiced: blips, untilMs: 20_000 })
    const lost = happened.filter(([, event]) => event === "TurnLost")
    expect(lost[0]?.[0]).toBeLessThanOrEqual(1_100 + 4_000 + 20)
    expect(happened.some(([, event]) => event === "TurnEnded")).toBe(false)
  })

  it("a cough before it does not make the answer late", () => {
    const { ended } = play({
      voiced: [
        [1_000, 1_300],
        [3_500, 4_500]
      ],
      transcripts: [[4_750, "hello"]],
      untilMs: 9_000
    })
    expect(ended).toEqual([[4_880, "TurnEnded", "hello"]])
  })

  it("whatever the timing: every text is handed over exactly once, in order, and never during speech", () => {
    const stretch = fc.record({
      pause: fc.integer({ min: 15, max: 150 }),
      length: fc.integer({ min: 4, max: 100 }),
      delay: fc.option(fc.integer({ min: 0, max: 250 }), { nil: undefined })
    })
    fc.assert(
      fc.property(fc.array(stretch, { minLength: 1, maxLength: 8 }), (stretches) => {
        const voiced: Array<readonly [number, number]> = []
        const transcripts: Array<readonly [number, string]> = []
        let ms = 0
        let last = 0
        stretches.forEach(({ pause, length, delay }, index) => {
          const from = ms + pause * 20
          ms = from + length * 20
          voiced.push([from, ms])
          // Finals come in order, some never.
          if (delay === undefined) return
          last = Math.max(last, ms + STOP_FRAMES * 20 + delay * 20)
          transcripts.push([last, `w${index}`])
        })
        const { ended, turn } = play({ voiced, transcripts, untilMs: Math.max(ms, last) + 10_000 })
        const said = transcripts.map(([, text]) => text).join(" ")
        expect(ended.map(([, , text]) => text).join(" ")).toBe(said)
        expect(turn.hasText).toBe(false)
        for (const [at] of ended) {
          // A word of less than 200 ms may be a noise and does not hold a deadline up.
          expect(voiced.some(([from, until]) => at > from + 200 && at < until)).toBe(false)
        }
      })
    )
  })

  it("whatever the timing of two finals within a second and a half: the last one is part of the answer", () => {
    const ms = (max: number) => fc.integer({ min: 0, max: max / 20 }).map((n) => n * 20)
    fc.assert(
      fc.property(ms(1_200), ms(1_200), ms(500), (firstDelay, secondDelay, gap) => {
        const second = 2_200 + gap + 100
        const end = second + 600
        const first = 2_200 + firstDelay
        const transcripts = [
          [first, "I want"],
          [Math.max(first, end + 200 + secondDelay), "to cancel"]
        ] as const
        const { ended } = play({
          voiced: [
            [1_000, 2_000],
            [second, end]
          ],
          transcripts,
          untilMs: 15_000
        })
        expect(ended[ended.length - 1]?.[2]?.endsWith("to cancel")).toBe(true)
        // The first part alone is answered only if the caller had been silent for long enough before going on.
        if (ended.length > 1) expect(ended[0][0]).toBeLessThan(second + 60)
      })
    )
  })
})

describe("barge-in", () => {
  const interruptions = (script: Parameters<typeof play>[0]) =>
    play(script)
      .happened.filter(([, event]) => event === "BargeIn")
      .map(([at]) => at)

  it("comes after 200 ms of voice over the agent, once per agent utterance", () => {
    const voiced = [
      [1_000, 2_000],
      [2_500, 3_500]
    ] as const
    expect(interruptions({ voiced, agent: [[0, 5_000]], untilMs: 6_000 })).toEqual([1_180])
    expect(
      interruptions({
        voiced,
        agent: [
          [0, 2_200],
          [2_400, 5_000]
        ],
        untilMs: 6_000
      })
    ).toEqual([1_180, 2_680])
  })

  it("does not come of a shorter noise, nor of several in a row", () => {
    const voiced = [
      [1_000, 1_160],
      [1_600, 1_760],
      [2_200, 2_360]
    ] as const
    expect(interruptions({ voiced, agent: [[0, 5_000]], untilMs: 6_000 })).toEqual([])
  })

  it("does not come when the agent is silent or must not be interrupted", () => {
    const voiced = [[1_000, 3_000]] as const
    expect(interruptions({ voiced, untilMs: 6_000 })).toEqual([])
    expect(interruptions({ voiced, agent: [[0, 5_000]], untilMs: 6_000, options: { interruptible: false } })).toEqual(
      []
    )
  })

  it("counts only the voice over the agent when the agent starts while the caller speaks", () => {
    expect(interruptions({ voiced: [[1_000, 3_000]], agent: [[2_000, 5_000]], untilMs: 6_000 })).toEqual([2_180])
  })
})
