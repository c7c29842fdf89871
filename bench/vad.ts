/** How well speech is told from noise: a table over noises and their levels, by other callers than those thresholds are tuned with. */
import { performance } from "node:perf_hooks"
import { noiseKinds } from "../simulators/voice/Noise.ts"
import { Vad } from "../src/audio/Vad.ts"
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

const cell = (value: number, limit: number, unit: string, digits: number, width: number) =>
  `${Number.isFinite(value) ? value.toFixed(digits) : "never"} ${unit}${value > limit ? "*" : " "}`.padStart(width)

/** Prints the table; 0 when all goals are met, else 1. */
export const run = async (_args: ReadonlyArray<string>): Promise<number> => {
  const talk = await conversation(heldOutCallers)
  const frames = talk.labels.length
  let failed = false
  let [milliseconds, heard] = [0, 0]
  const judge = (within: boolean, isInformation: boolean | undefined) => {
    if (within) return ""
    if (isInformation) return "  information only"
    failed = true
    return "  MISSED"
  }
  console.log(
    `${lines.length} lines of ${Math.round(frames / 50)} s; * is over the limit; starts: of speech where there is none`
  )
  console.log("noise     SNR      missed   false voiced  false speaking   onset p95  offset p95  starts/min")
  for (const kind of kinds) {
    for (const snr of [20, 10, 5]) {
      const heardLines = await Promise.all(lines.map((line, i) => onLine(talk.clean, kind, snr, FIRST_SEED + i, line)))
      const started = performance.now()
      const result = summary(heardLines.map((line) => trial(line, talk)))
      milliseconds += performance.now() - started
      heard += frames * lines.length
      const { missed, onset } = limits[snr]
      const within =
        result.missed <= missed &&
        Math.max(result.falseVoiced, result.falseSpeaking) <= FALSE_LIMIT &&
        result.onset95 <= onset &&
        result.offset95 <= OFFSET_LIMIT
      console.log(
        kind.padEnd(8) +
          `${snr} dB`.padStart(6) +
          cell(result.missed, missed, "%", 1, 11) +
          cell(result.falseVoiced, FALSE_LIMIT, "%", 2, 14) +
          cell(result.falseSpeaking, FALSE_LIMIT, "%", 2, 16) +
          cell(result.onset95, onset, "ms", 0, 12) +
          cell(result.offset95, OFFSET_LIMIT, "ms", 0, 12) +
          result.startsPerMinute.toFixed(1).padStart(12) +
          judge(within, informationOnly[kind]?.includes(snr))
      )
    }
  }
  console.log("\nnoise alone, 30 s at each of -55, -45, -35, -25 dB of full scale")
  for (const kind of kinds) {
    const all = await Promise.all(
      [-55, -45, -35, -25].map(async (level) => falseAlarms(await alone(kind, 30_000, level, FIRST_SEED)))
    )
    const total = (pick: (one: (typeof all)[number]) => number) => all.reduce((sum, one) => sum + pick(one), 0)
    const voiced = (100 * total((one) => one.voiced)) / total((one) => one.frames)
    console.log(
      `${kind.padEnd(8)} ${cell(voiced, FALSE_LIMIT, "% voiced", 2, 16)} speech began ${total((one) => one.starts)} times` +
        judge(voiced <= FALSE_LIMIT, informationOnly[kind] !== undefined)
    )
  }
  console.log(`\ncost: ${((milliseconds * 1_000) / heard).toFixed(2)} µs per frame over all of these lines`)
  const pink = await onLine(talk.clean, "pink", 15, FIRST_SEED)
  const views = Array.from({ length: frames }, (_, i) => pink.subarray(i * 160, i * 160 + 160))
  const vad = new Vad()
  const rounds = Array.from({ length: 20 }, () => {
    const started = performance.now()
    for (const view of views) vad.step(view)
    return ((performance.now() - started) * 1_000) / frames
  }).sort((a, b) => a - b)
  console.log(`cost: ${rounds[10].toFixed(2)} µs per frame, median of 20 rounds (pink noise, 15 dB)`)
  return failed ? 1 : 0
}
