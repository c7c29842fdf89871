import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { AgentVoice } from "../../../src/audio/turn/OverAgent.ts"
import { Turn, type TurnOptions, type TurnRules } from "../../../src/audio/turn/Turn.ts"
import { TurnEvent } from "../../../src/audio/turn/TurnEvent.ts"
import { VadEvent } from "../../../src/audio/vad/Vad.ts"

/** Words ending in "and" are unfinished; "mm-hm" is no interruption; "yes" can wait for the agent to finish. */
const rules: TurnRules = {
  patienceMs: (text) => (/\band$/.test(text) ? 1_600 : 400),
  likelyAfterMs: (text) => (/\band$/.test(text) ? Number.POSITIVE_INFINITY : 0),
  overAgent: (text) => (text === "mm-hm" ? "overheard" : text === "yes" ? "answer" : "interruption"),
  paused: () => undefined
}
const options: TurnOptions = { maxSilenceMs: 2_500, minSpeechMs: 200, pausesAfterMs: 650, rules }
/** How the detector reports speech: sure after 3 voiced frames, silence sure after 10 unvoiced ones. */
const START_FRAMES = 3
const STOP_FRAMES = 8

type Happening = readonly [atMs: number, event: string, text?: string]
const names = new Map<number, string>(Object.entries(TurnEvent).map(([name, value]) => [value, name]))

/** A call with its caller and its speech-to-text on a script: frames every 20 ms, transcripts at their time. */
const play = (script: {
  /** When the caller's voice is heard: [from, until) in ms. */
  readonly voiced: ReadonlyArray<readonly [fromMs: number, untilMs: number]>
  readonly transcripts?: ReadonlyArray<readonly [atMs: number, text: string]>
  /** When the agent has something to say; an interruption cuts it off. */
  readonly agent?: ReadonlyArray<readonly [fromMs: number, untilMs: number]>
  /** When what is heard is as loud as the caller; always, if not given. */
  readonly near?: ReadonlyArray<readonly [fromMs: number, untilMs: number]>
  /** What the agent says must be heard. */
  readonly uninterruptible?: boolean
  readonly untilMs: number
  readonly options?: Partial<TurnOptions>
}) => {
  const turn = new Turn({ ...options, ...script.options })
  const happened: Array<Happening> = []
  let cutOff = -1
  const note = (atMs: number, first: TurnEvent) => {
    for (let event = first; event !== TurnEvent.None; event = turn.settle(atMs)) {
      const name = names.get(event) ?? "?"
      if (event === TurnEvent.TurnEnded) happened.push([atMs, name, turn.takeText()])
      else if (event === TurnEvent.Overheard) happened.push([atMs, name, turn.takeOverheard()])
      else if (event === TurnEvent.TurnLikely) happened.push([atMs, name, turn.text])
      else happened.push([atMs, name])
      if (event === TurnEvent.Interrupted || event === TurnEvent.Superseded) {
        cutOff = atMs
        turn.agent = "silent"
      }
    }
  }
  const voiceAt = (ms: number): AgentVoice => {
    const utterance = script.agent?.find(([from, until]) => ms >= from && ms < until)
    if (utterance === undefined || cutOff >= utterance[0]) return "silent"
    return script.uninterruptible === true ? "uninterruptible" : "interruptible"
  }
  const within = (spans: ReadonlyArray<readonly [number, number]> | undefined, ms: number) =>
    spans?.some(([from, until]) => ms >= from && ms < until) ?? false
  const transcripts = [...(script.transcripts ?? [])].sort((a, b) => a[0] - b[0])
  let speaking = false
  let count = 0
  for (let ms = 0; ms <= script.untilMs; ms += 20) {
    turn.agent = voiceAt(ms)
    const voiced = within(script.voiced, ms)
    count = voiced === speaking ? 0 : count + 1
    let event: VadEvent = VadEvent.None
    if (count === (speaking ? STOP_FRAMES : START_FRAMES)) {
      speaking = !speaking
      count = 0
      event = speaking ? VadEvent.SpeechStarted : VadEvent.SpeechStopped
    }
    note(ms, turn.step(event, voiced, ms, script.near === undefined || within(script.near, ms)))
    while (transcripts.length > 0 && transcripts[0][0] <= ms) note(ms, turn.transcript(transcripts.shift()![1], ms))
  }
  return { turn, happened, ended: happened.filter(([, event]) => event === "TurnEnded") }
}

describe("end of the caller's turn", () => {
  it("is 400 ms after the last voice when the transcript comes sooner", () => {
    const { happened } = play({ voiced: [[1_000, 2_000]], transcripts: [[2_300, "hello"]], untilMs: 8_000 })
    expect(happened).toEqual([
      [1_040, "SpeechStarted"],
      [2_160, "SpeechPaused"],
      [2_300, "TurnLikely", "hello"],
      [2_380, "TurnEnded", "hello"]
    ])
  })

  it("is when the transcript comes if that is later: delays are never added up", () => {
    const { ended } = play({ voiced: [[1_000, 2_000]], transcripts: [[2_900, "hello"]], untilMs: 8_000 })
    expect(ended).toEqual([[2_900, "TurnEnded", "hello"]])
  })

  it("is not requested in a gap between two words, which would separate them", () => {
    const { happened } = play({
      voiced: [
        [1_000, 1_400],
        [1_560, 2_400]
      ],
      transcripts: [[2_700, "wait, what is that"]],
      untilMs: 6_000
    })
    expect(happened.filter(([, event]) => event === "SpeechPaused").map(([at]) => at)).toEqual([2_560])
    expect(happened.at(-1)).toEqual([2_780, "TurnEnded", "wait, what is that"])
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
    // The silence counts from the words: the sound after them had none.
    expect(ended).toEqual([[3_260, "TurnEnded", "hello"]])
  })

  it("waits for an unfinished sentence from its last words on, whatever sounds without words come in between", () => {
    const { ended } = play({
      voiced: [
        [1_000, 2_000],
        [2_500, 2_800],
        [3_200, 3_500]
      ],
      transcripts: [
        [2_250, "I want a table and"],
        [3_050, ""],
        [3_750, ""]
      ],
      untilMs: 9_000
    })
    expect(ended).toEqual([[3_760, "TurnEnded", "I want a table and"]])
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

  it("is given up once when no transcript comes, and a later transcript still counts", () => {
    const { happened } = play({ voiced: [[1_000, 2_000]], transcripts: [[9_000, "hello"]], untilMs: 12_000 })
    expect(happened.slice(2)).toEqual([
      [1_980 + 2_500 + 1_500, "TurnLost"],
      [9_000, "TurnEnded", "hello"]
    ])
  })

  it("is given up at once when speech-to-text heard no words in it", () => {
    const { happened } = play({ voiced: [[1_000, 1_600]], transcripts: [[1_900, ""]], untilMs: 8_000 })
    expect(happened.slice(2)).toEqual([[1_900, "TurnLost"]])
  })

  it("is given up after noise alone, too, however long the noise lasts", () => {
    const blips = Array.from({ length: 40 }, (_, i) => [1_000 + i * 500, 1_100 + i * 500] as const)
    const { happened } = play({ voiced: blips, untilMs: 20_000 })
    const lost = happened.filter(([, event]) => event === "TurnLost")
    expect(lost[0]?.[0]).toBeLessThanOrEqual(1_100 + 4_000 + 20)
    expect(happened.some(([, event]) => event === "TurnEnded")).toBe(false)
  })

  it("is not delayed by a cough before it", () => {
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

  it("hands over every text exactly once, in order and never during speech, whatever the timing", () => {
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

  it("includes the last of two final transcripts within a second and a half, whatever their timing", () => {
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

describe("a line on which the detector hears speech without end", () => {
  const endless = [[500, 40_000]] as const

  it("has turns that end when no more words come", () => {
    const { ended } = play({
      voiced: endless,
      transcripts: [
        [2_000, "Is anybody"],
        [4_000, "there?"]
      ],
      untilMs: 20_000
    })
    expect(ended).toEqual([[8_000, "TurnEnded", "Is anybody there?"]])
  })

  it("is checked after 8 s without a word, and counts as noise when there is none", () => {
    const { happened } = play({ voiced: endless, transcripts: [[8_700, ""]], untilMs: 12_000 })
    expect(happened).toEqual([
      [540, "SpeechStarted"],
      [8_540, "SpeechPaused"],
      [8_700, "TurnLost"]
    ])
  })

  it("does not keep interrupting the agent", () => {
    const { happened } = play({
      voiced: endless,
      agent: [
        [9_000, 10_000],
        [12_000, 20_000]
      ],
      transcripts: [[8_700, ""]],
      untilMs: 14_000
    })
    expect(happened.filter(([, event]) => event.startsWith("Agent"))).toEqual([])
  })
})

describe("a voice far from the telephone that goes on behind the caller's", () => {
  const television = { voiced: [[1_000, 12_000]] } as const

  it("does not keep the turn from ending: words are asked for, and silence counts from the caller's last sound", () => {
    const { happened } = play({
      ...television,
      near: [[1_000, 2_000]],
      transcripts: [[2_900, "hello"]],
      untilMs: 8_000
    })
    expect(happened).toEqual([
      [1_040, "SpeechStarted"],
      [2_580, "SpeechPaused"],
      [2_900, "TurnEnded", "hello"]
    ])
  })

  it("is no part of what the caller says later", () => {
    const { ended } = play({
      ...television,
      near: [
        [1_000, 2_000],
        [5_000, 6_000]
      ],
      transcripts: [
        [2_900, "hello"],
        [6_900, "are you there"]
      ],
      untilMs: 9_000
    })
    expect(ended).toEqual([
      [2_900, "TurnEnded", "hello"],
      [6_900, "TurnEnded", "are you there"]
    ])
  })

  it("does not divide a sentence with soft words in it", () => {
    const { happened } = play({
      voiced: [[1_000, 3_000]],
      near: [
        [1_000, 1_500],
        [2_000, 3_000]
      ],
      transcripts: [[3_300, "hello there"]],
      untilMs: 5_000
    })
    expect(happened.filter(([, event]) => event === "SpeechPaused").map(([at]) => at)).toEqual([3_160])
  })

  it("does not keep it from ending either when it begins and ends again and again", () => {
    const bursts = Array.from({ length: 12 }, (_, i) => [2_300 + i * 500, 2_600 + i * 500] as const)
    const { ended } = play({
      voiced: [[1_000, 2_000], ...bursts],
      near: [[1_000, 2_000]],
      transcripts: [[2_500, "hello"]],
      untilMs: 8_000
    })
    expect(ended).toEqual([[expect.toSatisfy((ms: number) => ms <= 2_700), "TurnEnded", "hello"]])
  })

  it("counts as a voice when nobody nearer was heard in it, for the caller may have moved away", () => {
    const { ended } = play({ voiced: [[1_000, 2_000]], near: [], transcripts: [[2_300, "hello"]], untilMs: 5_000 })
    expect(ended).toEqual([[2_380, "TurnEnded", "hello"]])
  })
})

describe("the wait for the end of a turn", () => {
  it("depends on the words: an unfinished sentence gets more time", () => {
    const { ended } = play({ voiced: [[1_000, 2_000]], transcripts: [[2_260, "my name is Asha and"]], untilMs: 8_000 })
    expect(ended).toEqual([[1_980 + 1_600, "TurnEnded", "my name is Asha and"]])
  })

  it("depends on all words of the turn, even when they came in parts", () => {
    const { ended } = play({
      voiced: [
        [1_000, 2_000],
        [2_900, 3_500]
      ],
      transcripts: [
        [2_260, "I want tea and"],
        [3_760, "a cake"]
      ],
      untilMs: 8_000
    })
    expect(ended).toEqual([[3_880, "TurnEnded", "I want tea and a cake"]])
  })

  it("is announced as likely after the silence that the words ask for", () => {
    const likely = (afterMs: number) =>
      play({
        voiced: [[1_000, 2_000]],
        transcripts: [[2_260, "tea and"]],
        untilMs: 6_000,
        options: { rules: { ...rules, likelyAfterMs: () => afterMs } }
      }).happened.flatMap(([at, event]) => (event === "TurnLikely" ? [at] : []))
    expect(likely(0)).toEqual([2_260])
    expect(likely(600)).toEqual([2_580])
    expect(likely(1_700)).toEqual([])
  })

  it("is sooner when a turn with these very words is known to be finished, and not before its silence", () => {
    const slow = { ...rules, patienceMs: () => 1_600 }
    const finishedAt = (atMs: number, text = "hello") => {
      const turn = new Turn({ ...options, rules: slow })
      const events: Array<Happening> = []
      for (let ms = 0; ms <= 5_000; ms += 20) {
        const voiced = ms >= 1_000 && ms < 2_000
        const event = ms === 1_040 ? VadEvent.SpeechStarted : ms === 2_160 ? VadEvent.SpeechStopped : VadEvent.None
        const told = [turn.step(event, voiced, ms)]
        if (ms === 2_300) told.push(turn.transcript("hello", ms))
        if (ms === atMs) told.push(turn.finished(text, 400, ms))
        for (const one of told) if (one === TurnEvent.TurnEnded) events.push([ms, turn.takeText()])
      }
      return events
    }
    expect(finishedAt(-1)).toEqual([[3_580, "hello"]])
    expect(finishedAt(2_320)).toEqual([[2_380, "hello"]])
    expect(finishedAt(2_900)).toEqual([[2_900, "hello"]])
    expect(finishedAt(2_900, "hello and")).toEqual([[3_580, "hello"]])
    expect(finishedAt(4_000)).toEqual([[3_580, "hello"]])
  })

  it("announces a likely end when words are there, again when more come, and never after an unfinished sentence", () => {
    const likely = (script: Parameters<typeof play>[0]) =>
      play(script).happened.filter(([, event]) => event === "TurnLikely")
    const voiced = [
      [1_000, 2_000],
      [2_300, 3_000]
    ] as const
    expect(
      likely({
        voiced,
        transcripts: [
          [2_260, "hello"],
          [3_260, "there"]
        ],
        untilMs: 6_000
      })
    ).toEqual([
      [2_260, "TurnLikely", "hello"],
      [3_260, "TurnLikely", "hello there"]
    ])
    expect(likely({ voiced: [[1_000, 2_000]], transcripts: [[2_260, "tea and"]], untilMs: 6_000 })).toEqual([])
  })

  it("reports how long this caller pauses", () => {
    const pauses: Array<number> = []
    play({
      voiced: [
        [1_000, 2_000],
        [2_600, 3_000],
        // Silence before which the agent spoke is not a pause.
        [8_000, 8_500]
      ],
      transcripts: [
        [2_260, "tea and"],
        [3_260, "cake"]
      ],
      agent: [[4_000, 6_000]],
      untilMs: 10_000,
      options: { rules: { ...rules, paused: (ms) => void pauses.push(ms) } }
    })
    expect(pauses).toEqual([600])
  })

  it("reports no pause that a sound without words made", () => {
    const pauses: Array<number> = []
    play({
      voiced: [
        [1_000, 2_000],
        [2_400, 2_700],
        [3_000, 4_000]
      ],
      transcripts: [
        [2_260, "tea and"],
        [2_960, ""],
        [4_260, "cake"]
      ],
      untilMs: 10_000,
      options: { rules: { ...rules, paused: (ms) => void pauses.push(ms) } }
    })
    expect(pauses).toEqual([1_000])
  })
})

describe("speech over the agent", () => {
  const agent = [[0, 9_000]] as const
  /** What happened, without what happens in every call. */
  const over = (script: Omit<Parameters<typeof play>[0], "untilMs">) =>
    play({ agent, untilMs: 14_000, ...script }).happened.filter(
      ([, event]) => event !== "SpeechStarted" && event !== "SpeechPaused" && event !== "TurnLikely"
    )

  it("softens it after 200 ms, and interrupts it when the words come", () => {
    expect(over({ voiced: [[1_000, 1_600]], transcripts: [[1_900, "no"]] })).toEqual([
      [1_180, "AgentSoftened"],
      [1_900, "Interrupted"],
      [1_980, "TurnEnded", "no"]
    ])
  })

  it("pauses it without waiting for words when it is longer than a listening noise", () => {
    expect(over({ voiced: [[1_000, 3_000]], transcripts: [[3_260, "let me say something"]] })).toEqual([
      [1_180, "AgentSoftened"],
      [1_640, "AgentPaused"],
      [3_260, "Interrupted"],
      [3_380, "TurnEnded", "let me say something"]
    ])
  })

  it("pauses it when it is longer than a listening noise with a gap in it", () => {
    const voiced = [
      [1_000, 1_400],
      [1_700, 2_400]
    ] as const
    expect(over({ voiced, transcripts: [[2_700, "no tell me more"]] }).slice(0, 3)).toEqual([
      [1_180, "AgentSoftened"],
      [1_940, "AgentPaused"],
      [2_700, "Interrupted"]
    ])
  })

  it("does not pause it for good when no words come of it, however long it lasts: words are asked for meanwhile", () => {
    const television = { agent: [[0, 30_000]], voiced: [[1_000, 20_000]] } as const
    const heard = over({ ...television, transcripts: [[5_500, ""]] })
    expect(heard.map(([, event]) => event)).toEqual(["AgentSoftened", "AgentPaused", "AgentResumed"])
    expect(heard[2][0]).toBe(5_500)
    // Neither when speech-to-text gives no answer at all.
    const unanswered = over(television)
    expect(unanswered.map(([, event]) => event)).toEqual(["AgentSoftened", "AgentPaused", "AgentResumed"])
    expect(unanswered[2][0]).toBe(1_640 + 6_000)
  })

  it("interrupts it by the words that it brings, also when it has not ended", () => {
    const heard = over({ voiced: [[1_000, 9_000]], transcripts: [[5_500, "let me tell you what happened"]] })
    expect(heard.slice(0, 3).map(([, event]) => event)).toEqual(["AgentSoftened", "AgentPaused", "Interrupted"])
  })

  it("does nothing to it by its sound when it is far away, and lets it go on when only the far sound is left", () => {
    const heard = (near: ReadonlyArray<readonly [number, number]>) =>
      over({ voiced: [[1_000, 6_000]], near }).filter(([, event]) => event.startsWith("Agent"))
    expect(heard([])).toEqual([])
    expect(heard([[1_000, 1_300]])).toEqual([
      [1_180, "AgentSoftened"],
      [2_080, "AgentResumed"]
    ])
    expect(heard([[1_000, 1_700]]).at(-1)).toEqual([3_680, "AgentResumed"])
  })

  it("lets it go on when no words come of it: an empty transcript at once, none at all within a second", () => {
    expect(over({ voiced: [[1_000, 1_240]], transcripts: [[1_600, ""]] })).toEqual([
      [1_180, "AgentSoftened"],
      [1_600, "AgentResumed"]
    ])
    const [, resumed] = over({ voiced: [[1_000, 1_240]] })
    expect(resumed?.[1]).toBe("AgentResumed")
    expect(resumed?.[0]).toBeLessThanOrEqual(1_220 + 800)
  })

  it("is talked through when it is a listening noise, which is heard and not answered", () => {
    expect(over({ voiced: [[1_000, 1_400]], transcripts: [[1_700, "mm-hm"]] })).toEqual([
      [1_180, "AgentSoftened"],
      [1_700, "Overheard", "mm-hm"],
      [1_700, "AgentResumed"]
    ])
  })

  it("hears a word that was too short to soften it", () => {
    expect(over({ voiced: [[1_000, 1_140]], transcripts: [[1_500, "stop"]] })).toEqual([
      [1_500, "Interrupted"],
      [1_520, "TurnEnded", "stop"]
    ])
    expect(over({ voiced: [[1_000, 1_140]], transcripts: [[1_500, "mm-hm"]] })).toEqual([[1_500, "Overheard", "mm-hm"]])
  })

  it("waits for the agent to finish when it answers what is being said", () => {
    expect(over({ voiced: [[8_000, 8_300]], transcripts: [[8_600, "yes"]] })).toEqual([
      [8_180, "AgentSoftened"],
      [8_600, "AgentResumed"],
      [9_000, "TurnEnded", "yes"]
    ])
  })

  it("belongs to the turn before when it comes within 250 ms of the agent's start, and even a listening noise is answered", () => {
    const script = { agent: [[1_000, 9_000]], voiced: [[1_100, 1_500]], transcripts: [[1_800, "mm-hm"]] } as const
    expect(over(script)).toEqual([
      [1_280, "AgentSoftened"],
      [1_800, "Interrupted"],
      [1_880, "TurnEnded", "mm-hm"]
    ])
  })

  it("counts from the moment when both are heard, if it began before the agent did", () => {
    expect(over({ voiced: [[1_000, 3_000]], agent: [[2_000, 9_000]] })[0]).toEqual([2_180, "AgentSoftened"])
  })

  it("is not heard as an interruption of what must be heard to its end; it is answered afterwards", () => {
    const script = { voiced: [[1_000, 2_000]], transcripts: [[2_300, "hello"]], uninterruptible: true } as const
    expect(over(script)).toEqual([[9_000, "TurnEnded", "hello"]])
  })

  it("needs to be longer to pause it after each false alarm, so that a noisy line does not chop the agent up", () => {
    const noises = [
      [1_000, 1_700],
      [3_000, 3_700],
      [5_000, 6_400]
    ] as const
    const events = over({ voiced: noises, transcripts: noises.map(([, until]) => [until + 300, ""] as const) })
    expect(events.map(([at, event]) => [at, event])).toEqual([
      [1_180, "AgentSoftened"],
      [1_640, "AgentPaused"],
      [2_000, "AgentResumed"],
      [3_180, "AgentSoftened"],
      [4_000, "AgentResumed"],
      [5_180, "AgentSoftened"],
      [6_280, "AgentPaused"],
      [6_700, "AgentResumed"]
    ])
  })

  it("does not count when its words come late and belong to the turn that is being answered: one answer to all of it", () => {
    const script = {
      voiced: [[1_000, 2_000]],
      agent: [[2_500, 9_000]],
      transcripts: [[2_800, "and one more thing"]]
    } as const
    expect(over(script)).toEqual([
      [2_800, "Superseded"],
      [2_800, "TurnEnded", "and one more thing"]
    ])
  })

  it("makes a softened or paused agent go on or stop, and hands over every word once, whatever the timing", () => {
    const ms = (max: number) => fc.integer({ min: 0, max: max / 20 }).map((n) => n * 20)
    const sound = fc.record({
      gap: ms(3_000),
      length: ms(2_500),
      delay: fc.option(ms(2_500), { nil: undefined }),
      text: fc.constantFrom("", "mm-hm", "yes", "no", "tea and")
    })
    fc.assert(
      fc.property(fc.array(sound, { minLength: 1, maxLength: 6 }), ms(2_000), ms(6_000), (sounds, from, length) => {
        const voiced: Array<readonly [number, number]> = []
        const transcripts: Array<readonly [number, string]> = []
        let at = 0
        let last = 0
        for (const { gap, length: long, delay, text } of sounds) {
          const start = at + 300 + gap
          at = start + 60 + long
          voiced.push([start, at])
          if (delay === undefined) continue
          last = Math.max(last, at + STOP_FRAMES * 20 + delay)
          transcripts.push([last, text])
        }
        const end = Math.max(at, last, from + length) + 10_000
        const { happened } = play({ voiced, transcripts, agent: [[from, from + length]], untilMs: end })
        const words = happened.flatMap(([, event, text]) =>
          event === "TurnEnded" || event === "Overheard" ? (text ?? "").split(" ") : []
        )
        const said = transcripts.flatMap(([, text]) => (text === "" ? [] : text.split(" ")))
        expect(words.toSorted()).toEqual(said.toSorted())
        const softened = happened.filter(([, event]) => event === "AgentSoftened").length
        const resumed = happened.filter(([, event]) => event === "AgentResumed").length
        expect(resumed).toBeLessThanOrEqual(softened)
      }),
      { numRuns: 500 }
    )
  })
})

describe("the floor", () => {
  it("belongs to callers while they speak and while their transcript is pending, but not for ever", () => {
    const turn = new Turn(options)
    const at = (ms: number, event: VadEvent, voiced: boolean) => turn.step(event, voiced, ms)
    expect(turn.callerHasFloor).toBe(false)
    for (let ms = 0; ms < 400; ms += 20) at(ms, ms === 40 ? VadEvent.SpeechStarted : VadEvent.None, true)
    expect(turn.callerHasFloor).toBe(true)
    at(400, VadEvent.SpeechStopped, false)
    expect(turn.callerHasFloor).toBe(true)
    expect(at(560, VadEvent.None, false)).toBe(TurnEvent.SpeechPaused)
    expect(turn.callerHasFloor).toBe(true)
    turn.transcript("hello", 700)
    expect(turn.callerHasFloor).toBe(false)
    for (let ms = 1_000; ms < 6_000; ms += 20) at(ms, ms === 1_040 ? VadEvent.SpeechStarted : VadEvent.None, true)
    expect(turn.callerHasFloor).toBe(true)
    for (let ms = 6_000; ms < 14_020; ms += 20) at(ms, VadEvent.None, true)
    expect(turn.callerHasFloor).toBe(false)
  })

  /** A caller who speaks without a pause for speech-to-text, but with gaps of 120 ms, while the agent waits to speak. */
  const fluent = (untilMs: number, answer: (atMs: number) => string) => {
    const turn = new Turn(options)
    const asked: Array<number> = []
    const floor: Array<boolean> = []
    for (let ms = 0; ms < untilMs; ms += 20) {
      const event = turn.step(ms === 40 ? VadEvent.SpeechStarted : VadEvent.None, ms % 800 < 680, ms)
      // What is shorter may be a noise.
      if (ms >= 300) floor.push(turn.callerHasFloor)
      if (event === TurnEvent.SpeechPaused) asked.push(ms)
      if (asked.at(-1) === ms - 300) turn.transcript(answer(ms), ms)
    }
    return { asked, floor }
  }

  it("stays the caller's who speaks fluently for long: words are asked for in the gaps", () => {
    const { asked, floor } = fluent(20_000, () => "and then")
    expect(floor).not.toContain(false)
    expect(asked.length).toBeGreaterThanOrEqual(5)
    expect(asked.every((ms) => ms % 800 >= 680)).toBe(true)
  })

  it("is lost by a sound like speech in which there are no words", () => {
    const { asked, floor } = fluent(8_000, () => "")
    expect(asked[0]).toBeLessThan(3_500)
    expect(floor.slice(floor.indexOf(false))).not.toContain(true)
    expect(300 + floor.indexOf(false) * 20).toBe(asked[0] + 320)
  })
})
