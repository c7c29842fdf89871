/**
 * Compares kept runs: lists of times by resampling them (bootstrap), counts as events that come independently of each other (Poisson), single figures as they
 * are. With several runs of a side whole runs are drawn, because the values of one run resemble each other.
 */
import { random } from "../../simulators/voice/Noise.ts"
import { OptionsInvalid } from "./Options.ts"
import { percentile } from "./Statistics.ts"

export interface KeptRun {
  readonly file: string
  readonly bench: string
  /** Why the run says nothing; null when it is valid. */
  readonly invalid: string | null
  /** Lists of figures by where they are in the report. */
  readonly lists: Readonly<Record<string, ReadonlyArray<number>>>
  readonly counts: Readonly<Record<string, number>>
  /** What was measured for each limit. */
  readonly figures: Readonly<Record<string, number>>
}

export type Verdict = "higher" | "lower" | "within the noise" | "same" | "no noise known"

export interface Change {
  readonly name: string
  readonly before: number
  readonly after: number
  /** Bounds of the difference; NaN where none are known. */
  readonly low: number
  readonly high: number
  readonly verdict: Verdict
}

/** A list with fewer values has no percentiles worth comparing. */
const leastValues = 20
/** Longer lists are thinned: drawing from them takes longer and says no more. */
const mostValues = 2_000
const draws = 400
const confidence = 0.95
const shares = { p50: 0.5, p95: 0.95 } as const

const isNumbers = (value: unknown): value is ReadonlyArray<number> =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "number")

/** Walks the report's details: lists of numbers, and numbers of objects that are called `counts` or `errors`. */
const collect = (
  value: unknown,
  path: string,
  lists: Record<string, ReadonlyArray<number>>,
  counts: Record<string, number>
): void => {
  if (typeof value !== "object" || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    const where = path === "" ? key : `${path}.${key}`
    if (isNumbers(inner)) lists[where] = inner
    else if (typeof inner === "number" && /(^|\.)(counts|errors)$/.test(path)) counts[where] = inner
    else collect(inner, where, lists, counts)
  }
}

/** Throws OptionsInvalid for a file that is no kept run. */
export const keptRunOf = (file: string, text: string): KeptRun => {
  let report: unknown
  try {
    report = JSON.parse(text)
  } catch {
    throw new OptionsInvalid(`${file} is no JSON`)
  }
  const { bench, limits, generator, details } = Object(report) as Readonly<Record<string, unknown>>
  if (typeof bench !== "string" || !Array.isArray(limits)) throw new OptionsInvalid(`${file} is no kept run of a bench`)
  const lists: Record<string, ReadonlyArray<number>> = {}
  const counts: Record<string, number> = {}
  collect(details, "", lists, counts)
  const measured = limits.flatMap((limit: unknown) => {
    const { name, value } = Object(limit) as Readonly<Record<string, unknown>>
    return typeof name === "string" && typeof value === "number" ? [[name, value] as const] : []
  })
  const { invalid } = Object(generator) as { readonly invalid?: string | null }
  return { file, bench, invalid: invalid ?? null, lists, counts, figures: Object.fromEntries(measured) }
}

const thinned = (values: ReadonlyArray<number>): ReadonlyArray<number> =>
  values.length <= mostValues
    ? values
    : Array.from({ length: mostValues }, (_, index) => values[Math.floor((index * values.length) / mostValues)])

type Sides = readonly [before: ReadonlyArray<ReadonlyArray<number>>, after: ReadonlyArray<ReadonlyArray<number>>]

/** One side again, as chance might have given it: runs drawn from the runs, values from their values. */
const redrawn = (runs: ReadonlyArray<ReadonlyArray<number>>, draw: () => number): ReadonlyArray<number> => {
  const pick = <A>(list: ReadonlyArray<A>): A => list[Math.floor(draw() * list.length)]
  return runs.flatMap(() => {
    const run = pick(runs)
    return Array.from({ length: run.length }, () => pick(run))
  })
}

const judged = (low: number, high: number): Verdict => (low > 0 ? "higher" : high < 0 ? "lower" : "within the noise")

const changeOfList = (name: string, share: number, [before, after]: Sides): Change => {
  const draw = random(1)
  const differences = Array.from(
    { length: draws },
    () => percentile(redrawn(after, draw), share) - percentile(redrawn(before, draw), share)
  )
  const low = percentile(differences, (1 - confidence) / 2)
  const high = percentile(differences, (1 + confidence) / 2)
  const of = (runs: ReadonlyArray<ReadonlyArray<number>>) => percentile(runs.flat(), share)
  return { name, before: of(before), after: of(after), low, high, verdict: judged(low, high) }
}

/** Means of the runs; the spread of independent events is the root of their number. */
const changeOfCount = (name: string, before: ReadonlyArray<number>, after: ReadonlyArray<number>): Change => {
  const sum = (values: ReadonlyArray<number>) => values.reduce((total, value) => total + value, 0)
  const [mean, meanAfter] = [sum(before) / before.length, sum(after) / after.length]
  const spread = 1.96 * Math.sqrt(sum(before) / before.length ** 2 + sum(after) / after.length ** 2)
  const [low, high] = [meanAfter - mean - spread, meanAfter - mean + spread]
  return { name, before: mean, after: meanAfter, low, high, verdict: mean === meanAfter ? "same" : judged(low, high) }
}

const mean = (values: ReadonlyArray<number>): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** A figure of each run: the means differ beyond the noise when the runs of the two sides do not overlap, three of each at least. */
const changeOfFigure = (name: string, before: ReadonlyArray<number>, after: ReadonlyArray<number>): Change => {
  const base = { name, before: mean(before), after: mean(after) }
  if (base.before === base.after) return { ...base, low: Number.NaN, high: Number.NaN, verdict: "same" }
  if (before.length < 3 || after.length < 3)
    return { ...base, low: Number.NaN, high: Number.NaN, verdict: "no noise known" }
  const [low, high] = [Math.min(...after) - Math.max(...before), Math.max(...after) - Math.min(...before)]
  return { ...base, low, high, verdict: judged(low, high) }
}

const namesOf = (runs: ReadonlyArray<KeptRun>, what: "lists" | "counts" | "figures") =>
  new Set(runs.flatMap((kept) => Object.keys(kept[what])))

const inBoth = (
  before: ReadonlyArray<KeptRun>,
  after: ReadonlyArray<KeptRun>,
  what: "lists" | "counts" | "figures"
) => {
  const others = namesOf(after, what)
  return [...namesOf(before, what)].filter((name) => others.has(name))
}

/** Every figure that both sides have: times by their p50 and p95, counts, and what was measured for limits. */
export const changesOf = (before: ReadonlyArray<KeptRun>, after: ReadonlyArray<KeptRun>): ReadonlyArray<Change> => {
  const listsOf = (runs: ReadonlyArray<KeptRun>, name: string) =>
    runs.flatMap(({ lists }) => (lists[name] === undefined ? [] : [thinned(lists[name])]))
  const valuesOf = (runs: ReadonlyArray<KeptRun>, what: "counts" | "figures", name: string) =>
    runs.flatMap((kept) => (kept[what][name] === undefined ? [] : [kept[what][name]]))
  const times = inBoth(before, after, "lists").flatMap((name) => {
    const sides: Sides = [listsOf(before, name), listsOf(after, name)]
    if (sides.some((runs) => runs.flat().length < leastValues)) return []
    return Object.entries(shares).map(([share, value]) => changeOfList(`${name} ${share}`, value, sides))
  })
  const counts = inBoth(before, after, "counts").map((name) =>
    changeOfCount(name, valuesOf(before, "counts", name), valuesOf(after, "counts", name))
  )
  const figures = inBoth(before, after, "figures").map((name) =>
    changeOfFigure(name, valuesOf(before, "figures", name), valuesOf(after, "figures", name))
  )
  return [...times, ...counts, ...figures]
}
