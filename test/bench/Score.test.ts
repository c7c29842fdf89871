import { assert, describe, it } from "@effect/vitest"
import type { Answer, Happening, ObservedCall } from "../../bench/dialogues/Observed.ts"
import { latestAnswerMs, score, type Verdict } from "../../bench/dialogues/Score.ts"

const lengthMs = 30_000

/** The agent sounds in these spans, given as start and end in milliseconds. */
const audible = (...spans: ReadonlyArray<readonly [number, number]>) =>
  Array.from({ length: lengthMs / 20 }, (_, frame) => spans.some(([from, to]) => frame * 20 >= from && frame * 20 < to))

const answer = (atMs: number, said: string, soundsMs = 2_000, heard = true): Answer => ({ atMs, said, soundsMs, heard })

/** Pieces of a turn, each with its start and end. */
const turn = (...parts: ReadonlyArray<readonly [text: string, startMs: number, endMs: number]>) =>
  ({
    _tag: "Turn",
    parts: parts.map(([text, startMs, endMs]) => ({ text, startMs, endMs })),
    interrupts: false,
    intelligible: true
  }) satisfies Happening

const interruption = (text: string, startMs: number, endMs: number): Happening => ({
  ...turn([text, startMs, endMs]),
  interrupts: true
})

const disturbance = (startMs: number, endMs: number, over = true): Happening => ({
  _tag: "Disturbance",
  span: { startMs, endMs },
  over
})

const judge = (call: Partial<ObservedCall>): ReadonlyArray<Verdict> =>
  score({ happenings: [], answers: [], audible: audible(), clearsMs: [], ...call })

const number = turn(["my number is", 3_000, 4_000], ["four two seven", 5_000, 6_000])
const whole = "My number is four two seven."

describe("the score of a turn", () => {
  it("is clean when the agent waits for all of it and answers it once", () => {
    assert.deepStrictEqual(
      judge({ happenings: [number], answers: [answer(6_500, whole)], audible: audible([6_700, 8_700]) }),
      [
        {
          _tag: "Turn",
          text: "my number is four two seven",
          early: false,
          late: false,
          twice: false,
          stuck: false,
          incomplete: false,
          cut: false,
          answerMs: 700
        }
      ]
    )
  })

  it("is too early when the agent begins to speak in a pause of it", () => {
    const [verdict] = judge({
      happenings: [number],
      answers: [answer(4_500, "my number is"), answer(6_500, whole)],
      audible: audible([4_700, 5_200], [6_700, 8_700])
    })
    assert.deepInclude(verdict, { early: true, twice: false, stuck: false, answerMs: null })
  })

  it("is too early when only its last piece was answered", () => {
    const [verdict] = judge({
      happenings: [number],
      answers: [answer(6_500, "four two seven")],
      audible: audible([6_700, 8_700])
    })
    assert.deepInclude(verdict, { early: true, incomplete: true })
  })

  it("is not too early for an answer that was planned and dropped before anybody heard it", () => {
    const [verdict] = judge({
      happenings: [number],
      answers: [answer(4_500, "my number is", 2_000, false), answer(6_500, whole)],
      audible: audible([6_700, 8_700])
    })
    assert.deepInclude(verdict, { early: false, twice: false })
  })

  it("is too late after the longest silence and the time an answer takes", () => {
    const begins = 6_000 + latestAnswerMs + 20
    const [verdict] = judge({
      happenings: [number],
      answers: [answer(9_000, whole)],
      audible: audible([begins, begins + 2_000])
    })
    assert.deepInclude(verdict, { late: true, stuck: false })
  })

  it("is answered twice when two answers to its end were heard", () => {
    const [verdict] = judge({
      happenings: [number],
      answers: [answer(6_500, whole), answer(9_000, whole)],
      audible: audible([6_700, 8_700], [9_200, 11_200])
    })
    assert.deepInclude(verdict, { twice: true })
  })

  it("is not answered twice by the answer to a later turn of the same words", () => {
    const verdicts = judge({
      happenings: [turn(["two tickets for tonight", 1_000, 2_000]), turn(["three tickets for tonight", 6_000, 7_000])],
      answers: [answer(2_500, "two tickets for tonight"), answer(7_500, "three tickets for tonight")],
      audible: audible([2_700, 4_700], [7_700, 9_700])
    })
    assert.deepStrictEqual(
      verdicts.map((verdict) => verdict._tag === "Turn" && verdict.twice),
      [false, false]
    )
  })

  it("is stuck when nobody answers it, unless nobody could understand it", () => {
    const asked = { audible: audible([15_000, 16_000]) }
    assert.deepInclude(judge({ ...asked, happenings: [number] })[0], { stuck: true })
    assert.deepInclude(judge({ ...asked, happenings: [{ ...number, intelligible: false }] })[0], { stuck: false })
  })

  it("has lost words when the answer was to fewer of them", () => {
    const [verdict] = judge({
      happenings: [number],
      answers: [answer(6_500, "my number is four … seven")],
      audible: audible([6_700, 8_700])
    })
    assert.deepInclude(verdict, { incomplete: true, early: false, stuck: false })
  })
})

describe("an answer that nobody speaks into", () => {
  const answers = [answer(6_500, whole)]

  it("is cut when it was not said to its end", () => {
    assert.deepInclude(judge({ happenings: [number], answers, audible: audible([6_700, 7_500]) })[0], { cut: true })
  })

  it("is not judged when the caller interrupts it", () => {
    const verdicts = judge({
      happenings: [number, interruption("wait", 7_200, 7_800)],
      answers,
      audible: audible([6_700, 7_500])
    })
    assert.deepInclude(verdicts[0], { cut: null })
  })
})

describe("the score of an interruption", () => {
  const question = turn(["tell me all", 1_000, 2_000])
  const interrupting = interruption("what about Friday", 5_000, 6_500)
  const answers = [answer(2_500, "tell me all", 8_000), answer(7_000, "what about Friday")]

  it("is good when the agent is silent soon and answers it", () => {
    const verdicts = judge({
      happenings: [question, interrupting],
      answers,
      audible: audible([2_700, 5_300], [7_200, 9_200])
    })
    assert.deepStrictEqual(verdicts[2], { _tag: "Interruption", missed: false })
    assert.deepInclude(verdicts[1], { early: false, stuck: false })
  })

  it("is missed when the agent speaks on", () => {
    const verdicts = judge({ happenings: [question, interrupting], answers, audible: audible([2_700, 9_000]) })
    assert.deepStrictEqual(verdicts[2], { _tag: "Interruption", missed: true })
  })

  it("of one word may be answered at once", () => {
    const verdicts = judge({
      happenings: [question, interruption("stop", 5_000, 5_300)],
      answers: [answers[0], answer(5_900, "stop")],
      audible: audible([2_700, 5_250], [6_100, 8_000])
    })
    assert.deepStrictEqual(verdicts[2], { _tag: "Interruption", missed: false })
  })
})

describe("the score of a disturbance", () => {
  const question = turn(["tell me all", 1_000, 2_000])
  const answers = [answer(2_500, "tell me all", 6_000)]
  const happenings = [question, disturbance(5_000, 5_400)]

  it("is good when the agent speaks on", () => {
    assert.deepStrictEqual(judge({ happenings, answers, audible: audible([2_700, 8_700]) })[1], {
      _tag: "Disturbance",
      false: false,
      resumed: false
    })
  })

  it("counts a pause apart when the agent goes on to the end", () => {
    const verdicts = judge({
      happenings,
      answers,
      audible: audible([2_700, 5_200], [6_500, 10_000]),
      clearsMs: [5_220]
    })
    assert.deepStrictEqual(verdicts[1], { _tag: "Disturbance", false: false, resumed: true })
  })

  it("is a false interruption when the agent stops for good", () => {
    const verdicts = judge({ happenings, answers, audible: audible([2_700, 5_200]), clearsMs: [5_220] })
    assert.deepStrictEqual(verdicts[1], { _tag: "Disturbance", false: true, resumed: false })
  })

  it("is a false interruption when the sound itself is answered", () => {
    const verdicts = judge({
      happenings,
      answers: [...answers, answer(9_000, "mm-hm")],
      audible: audible([2_700, 8_700], [9_200, 11_000])
    })
    assert.deepInclude(verdicts[1], { false: true })
  })

  it("is false when the agent speaks to a noise while nobody spoke", () => {
    const quiet = [question, disturbance(12_000, 12_400, false)]
    const spoken = audible([2_700, 8_700])
    assert.deepInclude(judge({ happenings: quiet, answers, audible: spoken })[1], { false: false })
    assert.deepInclude(judge({ happenings: quiet, answers, audible: audible([2_700, 8_700], [13_000, 14_000]) })[1], {
      false: true
    })
  })
})

describe("the score of a silence", () => {
  const happenings: ReadonlyArray<Happening> = [{ _tag: "Quiet", span: { startMs: 5_000, endMs: 14_000 } }]

  it("is good only when the agent asks whether the caller is still there", () => {
    assert.deepStrictEqual(judge({ happenings, audible: audible([11_000, 12_000]) }), [{ _tag: "Quiet", stuck: false }])
    assert.deepStrictEqual(judge({ happenings, audible: audible([1_000, 3_000]) }), [{ _tag: "Quiet", stuck: true }])
  })
})
