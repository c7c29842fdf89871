/** What a run at a target must keep: limits that hold for any server, and those that the user gives. */
import { OptionsInvalid } from "../support/Options.ts"
import type { Limit } from "../support/Report.ts"
import { percentile } from "../support/Statistics.ts"
import { counted, type Findings, type Timed, timed } from "./Findings.ts"

export interface Threshold {
  /** `answer-p95`, or the name of a count. */
  readonly name: string
  readonly most: number
}

const shares = { p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99, max: 1 } as const
type Share = keyof typeof shares

const isTimed = (name: string): name is Timed => timed.some((known) => known === name)
const isShare = (name: string): name is Share => Object.hasOwn(shares, name)
const isCounted = (name: string): name is (typeof counted)[number] => counted.some((known) => known === name)

const known = (name: string): boolean => {
  const [what, share, ...rest] = name.split("-")
  return isCounted(name) || (isTimed(what) && share !== undefined && isShare(share) && rest.length === 0)
}

/** `answer-p95=1500,dropped=0`. Throws OptionsInvalid that says what there is. */
export const thresholdsOf = (text: string): ReadonlyArray<Threshold> =>
  text.split(",").map((part) => {
    const [name, most, ...rest] = part.split("=").map((side) => side.trim())
    if (!known(name))
      throw new OptionsInvalid(
        `--thresholds knows no "${name}": counts are ${counted.join(", ")}; times are ${timed.join(", ")}, each with -${Object.keys(shares).join(", -")}`
      )
    if (most === undefined || most === "" || !Number.isFinite(Number(most)) || rest.length > 0)
      throw new OptionsInvalid(`--thresholds needs a number for ${name}, like ${name}=1500`)
    return { name, most: Number(most) }
  })

const valueOf = (name: string, { counts, times }: Findings): Omit<Limit, "most"> => {
  if (isCounted(name)) return { name, value: counts[name], unit: "" }
  const [what, share] = name.split("-")
  if (!isTimed(what) || !isShare(share)) return { name, value: Number.NaN, unit: "ms" }
  return { name, value: percentile(times[what], shares[share]), unit: "ms" }
}

/** Holds wherever callers are heard and answered. A plain target owes nobody an answer. */
const usual = (plain: boolean): ReadonlyArray<Threshold> =>
  ["refused", "dropped", "holes", ...(plain ? [] : ["unanswered", "notSilenced"])].map((name) => ({ name, most: 0 }))

/** Those of `given` replace the usual ones of the same name. */
export const limitsOf = (findings: Findings, plain: boolean, given: ReadonlyArray<Threshold>): ReadonlyArray<Limit> => {
  const names = new Set(given.map(({ name }) => name))
  return [...usual(plain).filter(({ name }) => !names.has(name)), ...given].map(({ name, most }) => ({
    ...valueOf(name, findings),
    most
  }))
}
