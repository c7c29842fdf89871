import { assert, describe, it } from "@effect/vitest"
import { answersTo } from "../../bench/eot/DefaultPolicy.ts"
import { callsFinished, goodJudge, type Judge } from "../../bench/eot/Judge.ts"
import { type Span, spansOf } from "../../bench/eot/Spans.ts"
import { fewestCutOffs, leastLatency, sweep } from "../../bench/eot/Sweep.ts"
import { type SpokenTurn, saidUntil } from "../../bench/eot/TurnSet.ts"
import { speak } from "../../simulators/voice/Voice.ts"
import { agentOf } from "../support/agent.ts"

/** A silence heard without delay by a perfect detector. */
const span = (ms: number, isEnd: boolean, text = ""): Span => ({
  fromMs: 0,
  untilMs: ms,
  isEnd,
  language: "en-US",
  condition: "clean",
  moments: Array.from({ length: ms / 20 }, (_, i) => ({ afterMs: i * 20, silentMs: i * 20, text, isAll: isEnd }))
})

describe("the sweep of policies", () => {
  const holds = [200, 400, 800, 1_600].map((ms) => span(ms, false))
  const spans = [...holds, span(5_000, true), span(5_000, true)]

  it("cuts off with silence alone those who pause for longer", () => {
    const points = sweep(spans, () => 1)
    assert.deepStrictEqual([fewestCutOffs(points, 300)?.cutOff, fewestCutOffs(points, 600)?.cutOff], [0.75, 0.5])
    assert.strictEqual(leastLatency(points, 0.25)?.latencyMs, 800)
    assert.strictEqual(leastLatency(points, 0)?.latencyMs, 1_600)
  })

  it("needs no more than the least delay when the score is always right, and waits when it is not", () => {
    assert.strictEqual(
      leastLatency(
        sweep(spans, (_, { isEnd }) => Number(isEnd)),
        0
      )?.latencyMs,
      100
    )
    const half = [...holds, span(5_000, true, "known"), span(5_000, true)]
    const points = sweep(half, ({ text }) => Number(text === "known"))
    assert.strictEqual(leastLatency(points, 0)?.latencyMs, (100 + 1_600) / 2)
  })

  it("counts neither breaths nor pauses of more than 5 s", () => {
    const points = sweep([span(180, false), span(5_020, false), span(1_000, false), span(5_000, true)], () => 1)
    assert.strictEqual(fewestCutOffs(points, 500)?.cutOff, 1)
    assert.strictEqual(fewestCutOffs(points, 1_000)?.cutOff, 0)
  })

  it("finds no policy for a budget that none keeps", () => {
    assert.isUndefined(
      fewestCutOffs(
        sweep(spans, () => 1),
        90
      )
    )
  })
})

describe("the simulated judge", () => {
  const texts = Array.from({ length: 4_000 }, (_, i) => `text ${i}`)
  const right = (judge: Judge, isAll: boolean) =>
    texts.filter((text) => callsFinished(judge, text, isAll) === isAll).length / texts.length

  it("errs as often as it should, and always about the same texts", () => {
    assert.approximately(right(goodJudge, false), 0.87, 0.02)
    assert.approximately(right(goodJudge, true), 0.99, 0.01)
    assert.strictEqual(right(goodJudge, false), right(goodJudge, false))
  })
})

describe("the default policy", () => {
  const sure: Judge = { name: "sure", unfinishedRight: 1, finishedRight: 1 }
  const wrong: Judge = { name: "wrong", unfinishedRight: 0, finishedRight: 0 }
  const pauseMs = 1_200

  /** "I need a table", 1.2 s, "for Friday evening". */
  const turnOf = async (): Promise<SpokenTurn> => {
    const pieces = await Promise.all(["I need a table", "for Friday evening"].map((text) => speak(text, "en-US")))
    const starts = [1_500, 1_500 + pieces[0].samples.length / 8 + pauseMs]
    const endMs = starts[1] + pieces[1].samples.length / 8
    const clean = new Int16Array(Math.ceil((endMs + 5_000) / 20) * 160)
    pieces.forEach(({ samples }, i) => {
      clean.set(samples, Math.round(starts[i] * 8))
    })
    const words = pieces.flatMap((piece, i) =>
      piece.words.map((word) => ({ text: word.text, endMs: starts[i] + word.endMs }))
    )
    const lastOfFirst = starts[0] + (pieces[0].words.at(-1)?.endMs ?? 0)
    const last = words.at(-1)?.endMs ?? 0
    return {
      language: "en-US",
      clean,
      words,
      silences: [
        { fromMs: lastOfFirst, untilMs: starts[1], isEnd: false },
        { fromMs: last, untilMs: endMs + 5_000, isEnd: true }
      ]
    }
  }
  /** How often the agent answered in the pause and after the end, and how soon after the end. */
  const heard = async (judge: Judge | undefined, modelMs: number) => {
    const turn = await turnOf()
    const [hold, end] = turn.silences
    const { answersMs } = answersTo(turn, turn.clean, agentOf(), { name: "", judge, modelMs })
    const inPause = answersMs.filter((ms) => ms >= hold.fromMs && ms < hold.untilMs).length
    const after = answersMs.filter((ms) => ms >= end.fromMs)
    return { inPause, answers: after.length, latencyMs: (after[0] ?? Number.NaN) - end.fromMs }
  }

  it("cuts off half a sentence by its words, and not when the model says that it is half", async () => {
    assert.strictEqual((await heard(undefined, 0)).inPause, 1)
    for (const modelMs of [0, 300]) {
      const { inPause, answers, latencyMs } = await heard(sure, modelMs)
      assert.deepStrictEqual([inPause, answers], [0, 1])
      assert.isBelow(latencyMs, 900)
    }
  })

  it("answers once after the longest silence when the model is wrong, and in its own time when the model is slow", async () => {
    const mistaken = await heard(wrong, 300)
    assert.strictEqual(mistaken.answers, 1)
    assert.approximately(mistaken.latencyMs, 2_500, 150)
    assert.deepStrictEqual(await heard(wrong, 2_000), await heard(undefined, 0))
  })

  it("knows of a silence what the caller has said 500 ms before", async () => {
    const turn = await turnOf()
    const [hold] = spansOf(turn, turn.clean, "clean")
    const at = (ms: number) => hold.moments.find(({ afterMs }) => afterMs >= ms)?.text
    assert.strictEqual(at(520), "I need a table")
    assert.notStrictEqual(at(300), "I need a table")
    assert.deepStrictEqual(saidUntil(turn, turn.clean.length / 8), {
      text: "I need a table for Friday evening",
      isAll: true
    })
  })
})
