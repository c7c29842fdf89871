/**
 * What a bench found: printed, and kept under `bench/results/` as JSON, as Markdown, and as one HTML page that needs
 * nothing else.
 */
import { mkdir, writeFile } from "node:fs/promises"
import { cpus } from "node:os"
import { join, relative, resolve } from "node:path"
import type { GeneratorReport } from "./GeneratorCheck.ts"
import { type Plot, plotSvg } from "./Plot.ts"
import { cellsOf, type Table, tableMarkdown, tableText } from "./Table.ts"

export interface Limit {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** The most that is allowed. */
  readonly most: number
}

export interface Report {
  readonly bench: string
  readonly about: string
  readonly options: Readonly<Record<string, unknown>>
  readonly tables: ReadonlyArray<Table>
  readonly plots: ReadonlyArray<Plot>
  readonly limits: ReadonlyArray<Limit>
  /** Null where nothing is generated: what is measured runs by itself. */
  readonly generator: GeneratorReport | null
  /** Everything else worth keeping: raw values, verdicts. */
  readonly details: unknown
}

/** A limit without a measured value (NaN) is missed: nothing was shown. */
export const met = ({ value, most }: Limit): boolean => value <= most

/** 0 when the run is valid and all limits are met, else 1. */
export const exitCode = ({ limits, generator }: Pick<Report, "limits" | "generator">): number =>
  (generator === null || generator.invalid === null) && limits.every(met) ? 0 : 1

const limitsTable = (limits: ReadonlyArray<Limit>): Table => ({
  title: "Limits",
  columns: ["limit", "measured", "at most", ""],
  rows: limits.map((limit) => {
    const figure = (value: number) => (Number.isNaN(value) ? "nothing" : `${Number(value.toFixed(2))} ${limit.unit}`)
    return [limit.name, figure(limit.value), figure(limit.most), met(limit) ? "met" : "MISSED"]
  })
})

const generatorTables = (report: GeneratorReport | null): ReadonlyArray<Table> =>
  report === null ? [] : [generatorTable(report)]

const generatorTable = ({ tickLatenessMs, cores, stolenCores, invalid }: GeneratorReport): Table => ({
  title: "The generator (callers and simulators)",
  columns: ["tick lateness p50", "p99", "max", "cores", "taken by the host, cores", "run"],
  rows: [
    [
      `${tickLatenessMs.p50.toFixed(1)} ms`,
      `${tickLatenessMs.p99.toFixed(1)} ms`,
      `${tickLatenessMs.max.toFixed(1)} ms`,
      cores.toFixed(2),
      stolenCores.toFixed(3),
      invalid === null ? "valid" : `INVALID: ${invalid}`
    ]
  ]
})

const allTables = (report: Report): ReadonlyArray<Table> => [
  ...report.tables,
  limitsTable(report.limits),
  ...generatorTables(report.generator)
]

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const tableHtml = (table: Table): string => {
  const [head, ...rows] = cellsOf(table)
  const cells = (tag: string, row: ReadonlyArray<string>) =>
    `<tr>${row.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join("")}</tr>`
  return `<h2>${escapeHtml(table.title)}</h2><table>${cells("th", head)}${rows.map((row) => cells("td", row)).join("")}</table>`
}

const style = `body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}
table{border-collapse:collapse}td,th{padding:.2rem .8rem;border-bottom:1px solid #ddd;text-align:right}
td:first-child,th:first-child{text-align:left}svg{max-width:100%;height:auto}pre{color:#555;white-space:pre-wrap}`

/** One page with tables and plots; nothing is loaded from elsewhere. */
export const reportHtml = (report: Report, startedAt: string): string =>
  [
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escapeHtml(report.bench)}</title><style>${style}</style>`,
    `<h1>${escapeHtml(report.bench)}</h1><p>${escapeHtml(report.about)}</p>`,
    `<pre>${escapeHtml(`${startedAt}, ${machine()}\n${JSON.stringify(report.options)}`)}</pre>`,
    ...allTables(report).map(tableHtml),
    ...report.plots.map((plot) => `<h2>${escapeHtml(plot.title)}</h2>${plotSvg(plot)}`),
    "</html>"
  ].join("\n")

/** The tables for a document of the project. */
const reportMarkdown = (report: Report, startedAt: string): string =>
  [
    `${startedAt}, ${machine()}, \`${JSON.stringify(report.options)}\``,
    ...allTables(report).map((table) => `**${table.title}**\n\n${tableMarkdown(table)}`)
  ].join("\n\n")

const machine = (): string => `${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}, Node ${process.version}`

/** Longer lists of figures are thinned evenly: a report is to be opened. */
const mostKept = 10_000

const thinned = (values: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  Array.from({ length: mostKept }, (_, index) => values[Math.floor((index * values.length) / mostKept)])

/** As text, with raw values; of more than `mostKept` in a list every so many. */
export const recordJson = (record: object, indent?: number): string =>
  JSON.stringify(
    record,
    (_, value: unknown) =>
      Array.isArray(value) && value.length > mostKept && typeof value[0] === "number" ? thinned(value) : value,
    indent
  )

const folder = resolve(import.meta.dirname, "..", "results")

/** Prints and keeps the report; gives the exit code of the bench. */
export const publish = async (report: Report, json: boolean): Promise<number> => {
  const startedAt = new Date().toISOString()
  const { plots: _, ...kept } = report
  const record = { ...kept, startedAt, machine: machine(), exitCode: exitCode(report) }
  const base = join(folder, `${report.bench}-${startedAt.replace(/[:.]/g, "-")}`)
  await mkdir(folder, { recursive: true })
  await writeFile(`${base}.json`, recordJson(record, 1))
  await writeFile(`${base}.html`, reportHtml(report, startedAt))
  await writeFile(`${base}.md`, reportMarkdown(report, startedAt))
  if (json) console.log(recordJson(record))
  else {
    console.log(allTables(report).map(tableText).join("\n\n"))
    console.log(`\nkept in ${relative(process.cwd(), base)}.html, .json and .md`)
  }
  return record.exitCode
}
