/** Measures how well speech is told from noise: a table over noises and their levels, with other callers than those used to tune the thresholds. */
import { performance } from "node:perf_hooks"
import { Effect } from "effect"
import { noiseKinds } from "../simulators/voice/Noise.ts"
import { Vad } from "../src/audio/vad/Vad.ts"
import {
  alone,
  type Background,
  conversation,
  falseAlarms,
  heldOutCallers,
  lines,
  onLine,
  summary,
  trial
} from "../test/support/vad-trial.ts"
import { parseOptions } from "./support/Options.ts"
import type { Plot } from "./support/Plot.ts"
import { progress } from "./support/Progress.ts"
import { publish } from "./support/Report.ts"
import { inTurn, runBench } from "./support/Run.ts"
import { percentile } from "./support/Statistics.ts"
import type { Table } from "./support/Table.ts"

interface Limits {
  readonly missed: number
  readonly onset: number
}

/** Per cent of speech frames missed and ms of onset, by signal-to-noise ratio. */
const limits: Record<number, Limits> = {
  20: { missed: 3, onset: 60 },
  10: { missed: 8, onset: 100 },
  5: { missed: 25, onset: Number.POSITIVE_INFINITY }
}
/** Per cent of noise frames taken for speech, and ms of offset. */
const FALSE_LIMIT = 1
const OFFSET_LIMIT = 250
/** Rows of noises that change like speech or are speech: what is reached is printed, and fails nothing. */
const informationOnly: Partial<Record<Background, ReadonlyArray<number>>> = {
  comfort: [10, 5],
  street: [20, 10, 5],
  music: [20, 10, 5],
  babble: [20, 10, 5]
}
const kinds: ReadonlyArray<Background> = [...noiseKinds, "babble"]
const FIRST_SEED = 701

const cell = (value: number, limit: number, unit: string, digits: number): string =>
  `${Number.isFinite(value) ? value.toFixed(digits) : "never"} ${unit}${value > limit ? "*" : " "}`

const levels = [20, 10, 5]
const aloneLevels = [-80, -76, -72, -70, -68, -66, -64, -60, -55, -45, -35, -25]
/** Constant parts of a line, as samples. */
const aloneOffsets = [0, 400]
const costRounds = 20

interface Row {
  readonly kind: Background
  readonly snr: number
  readonly result: ReturnType<typeof summary>
  readonly within: boolean
  readonly informationOnly: boolean
}

const verdict = ({ within, informationOnly }: Pick<Row, "within" | "informationOnly">): string => {
  if (within) return ""
  return informationOnly ? "information only" : "MISSED"
}

type Talk = Awaited<ReturnType<typeof conversation>>

/** Speech in noise: a row for each noise and level; µs of the processor for each of all frames. */
const inNoise = async (talk: Talk, say: (text: string) => void) => {
  const rows: Array<Row> = []
  let [milliseconds, heard] = [0, 0]
  for (const kind of kinds) {
    for (const snr of levels) {
      say(`${kind}, ${snr} dB`)
      const heardLines = await Promise.all(lines.map((line, i) => onLine(talk.clean, kind, snr, FIRST_SEED + i, line)))
      const started = performance.now()
      const result = summary(heardLines.map((line) => trial(line, talk)))
      milliseconds += performance.now() - started
      heard += talk.labels.length * lines.length
      const { missed, onset } = limits[snr]
      const within =
        result.missed <= missed &&
        Math.max(result.falseVoiced, result.falseSpeaking) <= FALSE_LIMIT &&
        result.onset95 <= onset &&
        result.offset95 <= OFFSET_LIMIT
      rows.push({ kind, snr, result, within, informationOnly: informationOnly[kind]?.includes(snr) === true })
    }
  }
  return { rows, perFrameUs: (milliseconds * 1_000) / heard }
}

/** Noise without anybody in it. */
const noiseAlone = (say: (text: string) => void) =>
  inTurn(kinds, 1, async (kind) => {
    say(`${kind} alone`)
    const all = await Promise.all(
      aloneLevels.flatMap((level) =>
        aloneOffsets.map(async (offset) => falseAlarms(await alone(kind, 30_000, level, FIRST_SEED, offset)))
      )
    )
    const total = (pick: (one: (typeof all)[number]) => number) => all.reduce((sum, one) => sum + pick(one), 0)
    const voiced = (100 * total((one) => one.voiced)) / total((one) => one.frames)
    const starts = total((one) => one.starts)
    return { kind, voiced, starts, within: voiced <= FALSE_LIMIT, informationOnly: informationOnly[kind] !== undefined }
  })

/** µs of the processor per frame, in each of some rounds over the same line. */
const cost = async (talk: Talk): Promise<ReadonlyArray<number>> => {
  const frames = talk.labels.length
  const pink = await onLine(talk.clean, "pink", 15, FIRST_SEED)
  const views = Array.from({ length: frames }, (_, i) => pink.subarray(i * 160, i * 160 + 160))
  const vad = new Vad()
  return Array.from({ length: costRounds }, () => {
    const started = performance.now()
    for (const view of views) vad.step(view)
    return ((performance.now() - started) * 1_000) / frames
  })
}

const measure = async (say: (text: string) => void) => {
  const talk = await conversation(heldOutCallers)
  const spoken = await inNoise(talk, say)
  return { ...spoken, seconds: talk.labels.length / 50, silent: await noiseAlone(say), rounds: await cost(talk) }
}
type Measured = Awaited<ReturnType<typeof measure>>

const tablesOf = ({ rows, perFrameUs, seconds, silent, rounds }: Measured): ReadonlyArray<Table> => [
  {
    title: `${lines.length} lines of ${Math.round(seconds)} s; * is over the limit; starts: of speech where there is none`,
    columns: ["noise", "SNR", "missed", "false voiced", "false speaking", "onset p95", "offset p95", "starts/min", ""],
    rows: rows.map((row) => [
      row.kind,
      `${row.snr} dB`,
      cell(row.result.missed, limits[row.snr].missed, "%", 1),
      cell(row.result.falseVoiced, FALSE_LIMIT, "%", 2),
      cell(row.result.falseSpeaking, FALSE_LIMIT, "%", 2),
      cell(row.result.onset95, limits[row.snr].onset, "ms", 0),
      cell(row.result.offset95, OFFSET_LIMIT, "ms", 0),
      row.result.startsPerMinute.toFixed(1),
      verdict(row)
    ])
  },
  {
    title: `Noise alone, 30 s at each of ${aloneLevels.join(", ")} dB of full scale, with constant offsets of ${aloneOffsets.join(" and ")}`,
    columns: ["noise", "voiced", "speech began, times", ""],
    rows: silent.map((row) => [row.kind, cell(row.voiced, FALSE_LIMIT, "%", 2), row.starts, verdict(row)])
  },
  {
    title: "Cost, µs per frame",
    columns: ["", "µs"],
    rows: [
      ["over all of these lines", perFrameUs.toFixed(2)],
      [`median of ${costRounds} rounds (pink noise, 15 dB)`, percentile(rounds, 0.5).toFixed(2)]
    ]
  }
]

const plotsOf = ({ rows, silent, rounds }: Measured): ReadonlyArray<Plot> => {
  const bars = (
    title: string,
    unit: string,
    snr: number,
    limit: number,
    pick: (row: Row["result"]) => number
  ): Plot => ({
    _tag: "Bars",
    title: `${title}, ${snr} dB`,
    unit,
    bars: rows.filter((row) => row.snr === snr).map(({ kind, result }) => [kind, pick(result)]),
    ...(Number.isFinite(limit) ? { limit } : {})
  })
  return [
    ...levels.flatMap((snr) => [
      bars("Speech frames missed", "%", snr, limits[snr].missed, ({ missed }) => missed),
      bars("Onset, 95 % of utterances", "ms", snr, limits[snr].onset, ({ onset95 }) => onset95)
    ]),
    {
      _tag: "Bars",
      title: "Noise alone taken for speech",
      unit: "%",
      bars: silent.map(({ kind, voiced }) => [kind, voiced]),
      limit: FALSE_LIMIT
    },
    { _tag: "Histogram", title: "Processor time of a frame, by round", unit: "µs", values: rounds }
  ]
}

export const taken = { numbers: {} } as const

/** Publishes the tables; 0 when all goals are met, else 1. */
export const run = (args: ReadonlyArray<string>): Promise<number> =>
  runBench(() =>
    Effect.gen(function* () {
      const { json } = parseOptions(args, taken)
      const line = progress("vad")
      const measured = yield* Effect.promise(() => measure(line.say))
      line.done()
      const missed = [...measured.rows, ...measured.silent].filter((row) => !row.within && !row.informationOnly)
      return yield* Effect.promise(() =>
        publish(
          {
            bench: "vad",
            about: "How well speech is told from noise, with callers that thresholds were not tuned with.",
            options: {},
            tables: tablesOf(measured),
            plots: plotsOf(measured),
            limits: [{ name: "rows over a limit, information only left out", value: missed.length, unit: "", most: 0 }],
            generator: null,
            details: measured
          },
          json
        )
      )
    })
  )
