/** What requests at a fixed pace took, as a report: a row, a plot and a limit for each kind. */
import type { GeneratorReport } from "../support/GeneratorCheck.ts"
import type { Report } from "../support/Report.ts"
import { percentile, summarize } from "../support/Statistics.ts"
import type { Measured } from "./OpenLoop.ts"

const row = ({ name, milliseconds, failures }: Measured) => {
  const { count, p50, p90, p99, max } = summarize(milliseconds)
  return [name, count, p50, p90, p99, max, failures.length]
}

export interface RequestReportOptions extends Pick<Report, "bench" | "about" | "options"> {
  readonly measured: ReadonlyArray<Measured>
  /** The most that p99 of each kind may be, milliseconds. */
  readonly mostMs: number
  readonly generator: GeneratorReport
}

export const requestReport = ({ measured, mostMs, generator, ...rest }: RequestReportOptions): Report => ({
  ...rest,
  tables: [
    {
      title: "Time to the answer, ms, from when the request was due",
      columns: ["request", "count", "p50", "p90", "p99", "max", "failed"],
      rows: measured.map(row)
    }
  ],
  plots: measured.map(({ name, milliseconds }) => ({
    _tag: "Histogram",
    title: name,
    unit: "ms",
    values: milliseconds
  })),
  limits: [
    ...measured.map(({ name, milliseconds }) => ({
      name: `${name}, p99`,
      value: percentile(milliseconds, 0.99),
      unit: "ms",
      most: mostMs
    })),
    { name: "requests that failed", value: measured.flatMap((one) => one.failures).length, unit: "", most: 0 }
  ],
  generator,
  details: { measured }
})
