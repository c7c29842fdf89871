import { assert, describe, it } from "@effect/vitest"
import { categories, linesOf } from "../../bench/dialogues/Dialogue.ts"
import { english } from "../../bench/dialogues/english.ts"
import { hindi } from "../../bench/dialogues/hindi.ts"
import { makeModel, promptOf, wasHeard } from "../../bench/dialogues/Model.ts"
import type { Verdict } from "../../bench/dialogues/Score.ts"
import { limitsOf, type ScoredCall, tally } from "../../bench/dialogues/Tally.ts"
import { met } from "../../bench/support/Report.ts"
import { lastUserText } from "../../simulators/language-model/Script.ts"

const all = [...english, ...hindi]

describe("the dialogue set", () => {
  it("has at least forty calls of every category, each with a name of its own", () => {
    assert.isAtLeast(all.length, 40)
    assert.strictEqual(new Set(all.map(({ id }) => id)).size, all.length)
    assert.sameMembers([...new Set(all.map(({ category }) => category))], [...categories])
  })

  it("says nothing that an agent takes as a wish to speak to a human", () => {
    for (const line of all.flatMap(linesOf)) assert.notMatch(line, /human|agent|representative|operator/i)
  })
})

describe("the dialogues' model", () => {
  const run = { name: "plain@clean", language: "en-US", long: false }
  const model = makeModel([run], () => 1_234)
  const ask = (...said: ReadonlyArray<string>) => {
    const rule = model.script[0]
    if (!("compose" in rule)) throw new Error("the rule does not compose")
    const messages = [
      { role: "system" as const, content: promptOf(run) },
      { role: "user" as const, content: "Hello." },
      { role: "assistant" as const, content: "Hello." },
      ...said.map((content) => ({ role: "user" as const, content }))
    ]
    assert.match(lastUserText(messages), rule.when)
    return rule.compose({ model: "m", messages })
  }

  it("numbers its answers and knows what was said since the agent spoke", () => {
    assert.match(ask("my number is", "four two"), /^1, /)
    assert.match(ask("thanks"), /^2, /)
    assert.deepStrictEqual(
      model.answersOf(run.name).map(({ said, atMs }) => [said, atMs]),
      [
        ["my number is four two", 1_234],
        ["thanks", 1_234]
      ]
    )
  })

  it("finds the number in what was heard", () => {
    assert.isTrue(wasHeard(17, ["Maple Books, hello.", "17, that is"]))
    assert.isFalse(wasHeard(7, ["17, that is"]))
    assert.isFalse(wasHeard(17, []))
  })
})

describe("the tally", () => {
  const turn = (changes: object = {}): Verdict => ({
    _tag: "Turn",
    text: "hello",
    early: false,
    late: false,
    twice: false,
    stuck: false,
    incomplete: false,
    cut: null,
    answerMs: 800,
    ...changes
  })
  const call = (level: ScoredCall["level"], ...verdicts: ReadonlyArray<Verdict>): ScoredCall => ({
    id: "a",
    category: "plain",
    level,
    verdicts
  })
  const disturbed = (wrong: boolean): Verdict => ({ _tag: "Disturbance", false: wrong, resumed: false })

  it("has a row for each category and level that was played, and one for all", () => {
    const { rows } = tally([call(null, turn()), call(20, turn({ early: true }), disturbed(false))])
    assert.deepStrictEqual(
      rows.map(([name, calls, turns, early]) => [name, calls, turns, early]),
      [
        ["plain", 2, 2, 50],
        ["clean", 1, 1, 0],
        ["20 dB", 1, 1, 100],
        ["all", 2, 2, 50]
      ]
    )
  })

  it("allows no turn answered twice, none stuck, and three in a hundred too early or stopped falsely", () => {
    const good = Array.from({ length: 33 }, () => turn())
    const names = (calls: ReadonlyArray<ScoredCall>) =>
      limitsOf(calls)
        .filter((limit) => !met(limit))
        .map(({ name }) => name)
    assert.deepStrictEqual(names([call(20, ...good, turn({ early: true }), disturbed(false))]), [])
    assert.deepStrictEqual(names([call(20, turn({ twice: true }), turn({ stuck: true }))]), [
      "turns answered twice",
      "stuck"
    ])
    assert.deepStrictEqual(names([call(20, turn({ early: true }), disturbed(true))]), [
      "turns ended too early",
      "false interruptions at 20 dB"
    ])
    assert.deepStrictEqual(names([call(10, ...good, turn({ cut: false }), turn({ cut: true }))]), [
      "answers cut by noise alone at 10 dB"
    ])
    assert.deepStrictEqual(names([call(5, turn(), disturbed(true))]), [])
  })
})
