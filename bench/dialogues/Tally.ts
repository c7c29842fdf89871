/** Counts the verdicts of many calls into a table by category and by level of noise, and into limits. */
import type { Limit } from "../support/Report.ts"
import { percentile } from "../support/Statistics.ts"
import type { Table } from "../support/Table.ts"
import { type Category, categories, type Level, levelName, levels } from "./Dialogue.ts"
import type { Verdict } from "./Score.ts"

export interface ScoredCall {
  readonly id: string
  readonly category: Category
  readonly level: Level
  readonly verdicts: ReadonlyArray<Verdict>
}

type Of<Tag extends Verdict["_tag"]> = Extract<Verdict, { readonly _tag: Tag }>

const of = <Tag extends Verdict["_tag"]>(calls: ReadonlyArray<ScoredCall>, tag: Tag): ReadonlyArray<Of<Tag>> =>
  calls.flatMap(({ verdicts }) => verdicts.filter((verdict): verdict is Of<Tag> => verdict._tag === tag))

const share = (part: number, whole: number): number => (whole === 0 ? Number.NaN : (100 * part) / whole)

const count = <A>(list: ReadonlyArray<A>, holds: (item: A) => boolean): number => list.filter(holds).length

/** Of the answers that the caller did not speak into. */
const cutShare = (turns: ReadonlyArray<Of<"Turn">>): number =>
  share(
    count(turns, ({ cut }) => cut === true),
    count(turns, ({ cut }) => cut !== null)
  )

/** Turns never answered, and silences in which the agent never asked. */
const stuckIn = (calls: ReadonlyArray<ScoredCall>): number =>
  count(of(calls, "Turn"), ({ stuck }) => stuck) + count(of(calls, "Quiet"), ({ stuck }) => stuck)

const columns = [
  "",
  "calls",
  "turns",
  "too early %",
  "too late %",
  "twice",
  "stuck",
  "words lost %",
  "interruptions",
  "missed %",
  "disturbances",
  "false %",
  "resumed %",
  "cut %",
  "answer p50 ms",
  "p90 ms"
]

const row = (name: string, calls: ReadonlyArray<ScoredCall>): ReadonlyArray<string | number> => {
  const turns = of(calls, "Turn")
  const interruptions = of(calls, "Interruption")
  const disturbances = of(calls, "Disturbance")
  const answers = turns.flatMap(({ answerMs }) => (answerMs === null ? [] : [answerMs]))
  return [
    name,
    calls.length,
    turns.length,
    share(
      count(turns, (it) => it.early),
      turns.length
    ),
    share(
      count(turns, (it) => it.late),
      turns.length
    ),
    count(turns, (it) => it.twice),
    stuckIn(calls),
    share(
      count(turns, (it) => it.incomplete),
      turns.length
    ),
    interruptions.length,
    share(
      count(interruptions, (it) => it.missed),
      interruptions.length
    ),
    disturbances.length,
    share(
      count(disturbances, (it) => it.false),
      disturbances.length
    ),
    share(
      count(disturbances, (it) => it.resumed),
      disturbances.length
    ),
    cutShare(turns),
    percentile(answers, 0.5),
    percentile(answers, 0.9)
  ]
}

/** One row per category, per level, and for all. Without calls a category has no row. */
export const tally = (calls: ReadonlyArray<ScoredCall>): Table => {
  const groups: ReadonlyArray<readonly [string, ReadonlyArray<ScoredCall>]> = [
    ...categories.map((category) => [category, calls.filter((call) => call.category === category)] as const),
    ...levels.map((level) => [levelName(level), calls.filter((call) => call.level === level)] as const),
    ["all", calls]
  ]
  return {
    title: "Turn-taking",
    columns,
    rows: groups.filter(([, group]) => group.length > 0).map(([name, group]) => row(name, group))
  }
}

const wrongs = (verdict: Verdict): ReadonlyArray<string> => {
  switch (verdict._tag) {
    case "Turn": {
      const said = (what: string, holds: boolean) => (holds ? [`${what}: ${verdict.text}`] : [])
      return [
        ...said("too early", verdict.early),
        ...said("too late", verdict.late),
        ...said("answered twice", verdict.twice),
        ...said("stuck", verdict.stuck),
        ...said("answer cut", verdict.cut === true)
      ]
    }
    case "Interruption":
      return verdict.missed ? ["interruption missed"] : []
    case "Disturbance":
      return verdict.false ? ["false interruption"] : []
    case "Quiet":
      return verdict.stuck ? ["stuck: the agent did not ask"] : []
  }
}

/** One row for everything that went wrong; words lost in noise are not listed. */
export const wrongTable = (calls: ReadonlyArray<ScoredCall>): Table => ({
  title: "What went wrong",
  columns: ["call", "level", "step", "what"],
  rows: calls.flatMap(({ id, level, verdicts }) =>
    verdicts.flatMap((verdict, index) =>
      wrongs(verdict).map((what) => [id, levelName(level), String(index + 1), what] as const)
    )
  )
})

const mostEarly = 3
const mostFalse = 3

/** What the product promises; a level that was not tried has no limit. */
export const limitsOf = (calls: ReadonlyArray<ScoredCall>): ReadonlyArray<Limit> => {
  const turns = of(calls, "Turn")
  const early = share(
    count(turns, (it) => it.early),
    turns.length
  )
  const noisy = ([20, 10] as const).flatMap((level): ReadonlyArray<Limit> => {
    const there = calls.filter((call) => call.level === level)
    const disturbances = of(there, "Disturbance")
    const falsely = share(
      count(disturbances, (it) => it.false),
      disturbances.length
    )
    return [
      { name: `false interruptions at ${level} dB`, value: falsely, unit: "%", most: mostFalse },
      {
        name: `answers cut by noise alone at ${level} dB`,
        value: cutShare(of(there, "Turn")),
        unit: "%",
        most: mostFalse
      }
    ].filter(({ value }) => !Number.isNaN(value))
  })
  return [
    { name: "turns answered twice", value: count(turns, (it) => it.twice), unit: "turns", most: 0 },
    { name: "stuck", value: stuckIn(calls), unit: "times", most: 0 },
    { name: "turns ended too early", value: early, unit: "%", most: mostEarly },
    ...noisy
  ]
}
