/** Measures how well speech is told from noise: a table over noises and their levels, with other callers than those used to tune the thresholds. */
import { Effect } from "effect"
import { noiseKinds } from "../simulators/voice/Noise.ts"
import { Vad } from "../src/audio/vad/Vad.ts"
import {
  agentSpeech,
  alone,
  type Background,
  lines,
  onLine,
  onQuietLine,
  withEcho
} from "../test/support/telephoneLine.ts"
import { conversation, falseAlarms, summary, trial } from "../test/support/vad-trial.ts"
import { heldOutCallers } from "../test/support/vadCallers.ts"
import { parseOptions } from "./support/Options.ts"
import type { Plot } from "./support/Plot.ts"
import { progress } from "./support/Progress.ts"
import { publish } from "./support/Report.ts"
import { inTurn, runBench } from "./support/Run.ts"
import { percentile } from "./support/Statistics.ts"
import type { Table } from "./support/Table.ts"

interface Limits {
  /** Per cent of speech frames missed, and of noise frames taken for speech. */
  readonly missed: number
  readonly falsely: number
  /** Milliseconds for 95 % of utterances. */
  readonly onset: number
  readonly offset: number
}

const offset = 250
/** By signal-to-noise ratio, for noises that are steady. */
const steady: Record<number, Limits> = {
  20: { missed: 3, falsely: 1, onset: 60, offset },
  10: { missed: 8, falsely: 1, onset: 100, offset },
  5: { missed: 25, falsely: 1, onset: Number.POSITIVE_INFINITY, offset }
}
/** At 20 dB, for noises that change like speech or are speech. */
const changing: Partial<Record<Background, Limits>> = {
  street: { missed: 5, falsely: 5, onset: 160, offset },
  babble: { missed: 5, falsely: 5, onset: 160, offset },
  music: { missed: 5, falsely: 10, onset: 160, offset }
}
const limitsOf = (kind: Background, snr: number): Limits => (snr === 20 ? (changing[kind] ?? steady[snr]) : steady[snr])

/** Per cent of the frames of noise alone. */
const FALSE_LIMIT = 1
/** Rows of which what is reached is printed, and fails nothing. */
const informationOnly: Partial<Record<Background, ReadonlyArray<number>>> = {
  comfort: [10, 5],
  street: [10, 5],
  music: [10, 5],
  babble: [10, 5]
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
const mostCostUs = 6

/** Lines without noise, or with noise as soft as the steps of mu-law; the callers are those of `lines`. */
const quietLines: ReadonlyArray<{ readonly name: string; readonly kind?: Background; readonly amplified?: boolean }> = [
  { name: "clean" },
  { name: "clean, +6 dB", amplified: true },
  ...(["white", "pink", "brown", "fan"] as const).flatMap((kind) => [
    { name: `${kind}, -67 dB`, kind },
    { name: `${kind}, -67 dB, then +6 dB`, kind, amplified: true }
  ])
]
const quietNoiseDb = -67
const nothingDb = -200
/** The agent speaks all the time, and its speech comes back so much softer, on a line with pink noise. */
const echoesDb = [-30, -25, -20]
const echoDelayMs = 170
const echoNoiseDb = -60
/** Syllables so soft that the agent may hide them are missed. */
const echoLimits: Limits = { missed: 25, falsely: 1, onset: 160, offset }
const quietLimits: Limits = { missed: 3, falsely: 1, onset: 100, offset }

type Result = ReturnType<typeof summary>

const isWithin = (result: Result, { missed, falsely, onset, offset }: Limits): boolean =>
  result.missed <= missed &&
  Math.max(result.falseVoiced, result.falseSpeaking) <= falsely &&
  result.onset95 <= onset &&
  result.offset95 <= offset

const cellsOf = (result: Result, { missed, falsely, onset, offset }: Limits): ReadonlyArray<string> => [
  cell(result.missed, missed, "%", 1),
  cell(result.falseVoiced, falsely, "%", 2),
  cell(result.falseSpeaking, falsely, "%", 2),
  cell(result.onset95, onset, "ms", 0),
  cell(result.offset95, offset, "ms", 0),
  result.startsPerMinute.toFixed(1)
]
const columns = ["missed", "false voiced", "false speaking", "onset p95", "offset p95", "starts/min"]

interface Row {
  readonly kind: Background
  readonly snr: number
  readonly result: Result
  readonly within: boolean
  readonly informationOnly: boolean
}

const verdict = ({ within, informationOnly }: Pick<Row, "within" | "informationOnly">): string => {
  if (within) return ""
  return informationOnly ? "information only" : "MISSED"
}

type Talk = Awaited<ReturnType<typeof conversation>>

/** Milliseconds of the processor since `started`: a busy machine changes it little. */
const msSince = (started: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1_000
}

/** Speech in noise: a row for each noise and level; µs of the processor for each of all frames. */
const inNoise = async (talk: Talk, say: (text: string) => void) => {
  const rows: Array<Row> = []
  let [milliseconds, heard] = [0, 0]
  for (const kind of kinds) {
    for (const snr of levels) {
      say(`${kind}, ${snr} dB`)
      const heardLines = await Promise.all(lines.map((line, i) => onLine(talk.clean, kind, snr, FIRST_SEED + i, line)))
      const started = process.cpuUsage()
      const result = summary(heardLines.map((line) => trial(line, talk)))
      milliseconds += msSince(started)
      heard += talk.labels.length * lines.length
      const within = isWithin(result, limitsOf(kind, snr))
      rows.push({ kind, snr, result, within, informationOnly: informationOnly[kind]?.includes(snr) === true })
    }
  }
  return { rows, perFrameUs: (milliseconds * 1_000) / heard }
}

/** Speech on lines that are quiet. */
const onQuietLines = (talk: Talk, say: (text: string) => void) =>
  inTurn(quietLines, 1, async ({ name, kind, amplified }) => {
    say(name)
    const level = kind === undefined ? nothingDb : quietNoiseDb
    const heardLines = await Promise.all(
      lines.map((line, i) =>
        onQuietLine(talk.clean, kind ?? "white", level, FIRST_SEED + i, {
          ...line,
          ...(amplified ? { amplified } : {})
        })
      )
    )
    const result = summary(heardLines.map((line) => trial(line, talk)))
    return { name, result, within: isWithin(result, quietLimits), informationOnly: false }
  })

/** Speech over the agent, whose echo is on the line. */
const overEcho = async (talk: Talk, say: (text: string) => void) => {
  const agent = await agentSpeech(talk.clean.length / 8)
  return inTurn(echoesDb, 1, async (gainDb) => {
    say(`echo, ${gainDb} dB`)
    const heardLines = await Promise.all(
      lines.map(async (line, i) =>
        withEcho(await onQuietLine(talk.clean, "pink", echoNoiseDb, FIRST_SEED + i, line), agent, {
          gainDb,
          delayMs: echoDelayMs
        })
      )
    )
    const result = summary(heardLines.map((line) => trial(line, talk, new Vad(), agent)))
    // As loud as that it is often no softer than a soft caller.
    return { gainDb, result, within: isWithin(result, echoLimits), informationOnly: gainDb > -25 }
  })
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
    const started = process.cpuUsage()
    for (const view of views) vad.step(view)
    return (msSince(started) * 1_000) / frames
  })
}

const measure = async (say: (text: string) => void) => {
  const talk = await conversation(heldOutCallers)
  const spoken = await inNoise(talk, say)
  return {
    ...spoken,
    seconds: talk.labels.length / 50,
    quiet: await onQuietLines(talk, say),
    echo: await overEcho(talk, say),
    silent: await noiseAlone(say),
    rounds: await cost(talk)
  }
}
type Measured = Awaited<ReturnType<typeof measure>>

const tablesOf = ({ rows, perFrameUs, seconds, quiet, echo, silent, rounds }: Measured): ReadonlyArray<Table> => [
  {
    title: `${lines.length} lines of ${Math.round(seconds)} s; * is over the limit; starts: of speech where there is none`,
    columns: ["noise", "SNR", ...columns, ""],
    rows: rows.map((row) => [
      row.kind,
      `${row.snr} dB`,
      ...cellsOf(row.result, limitsOf(row.kind, row.snr)),
      verdict(row)
    ])
  },
  {
    title: `The same callers on quiet lines; noise in dB of full scale`,
    columns: ["line", ...columns, ""],
    rows: quiet.map((row) => [row.name, ...cellsOf(row.result, quietLimits), verdict(row)])
  },
  {
    title: `The same callers over the agent's own echo, ${echoDelayMs} ms late, with noise of ${echoNoiseDb} dB`,
    columns: ["echo", ...columns, ""],
    rows: echo.map((row) => [`${row.gainDb} dB`, ...cellsOf(row.result, echoLimits), verdict(row)])
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
      bars("Speech frames missed", "%", snr, steady[snr].missed, ({ missed }) => missed),
      bars("Onset, 95 % of utterances", "ms", snr, steady[snr].onset, ({ onset95 }) => onset95)
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
      const missed = [...measured.rows, ...measured.quiet, ...measured.echo, ...measured.silent].filter(
        (row) => !row.within && !row.informationOnly
      )
      return yield* Effect.promise(() =>
        publish(
          {
            bench: "vad",
            about: "How well speech is told from noise, with callers that thresholds were not tuned with.",
            options: {},
            tables: tablesOf(measured),
            plots: plotsOf(measured),
            limits: [
              { name: "rows over a limit, information only left out", value: missed.length, unit: "", most: 0 },
              { name: "a frame, median", value: percentile(measured.rounds, 0.5), unit: "µs", most: mostCostUs }
            ],
            generator: null,
            details: measured
          },
          json
        )
      )
    })
  )
