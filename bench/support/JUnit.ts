/** Limits as JUnit test cases, which build servers show. */
import { mkdir, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { type Limit, met, type Report } from "./Report.ts"

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;"
}
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => escapes[sign])

const caseOf = (bench: string, limit: Limit): string => {
  const { name, value, unit, most } = limit
  const head = `<testcase classname="${escaped(bench)}" name="${escaped(name)}"`
  if (met(limit)) return `  ${head}/>`
  const measured = Number.isNaN(value) ? "nothing was measured" : `${Number(value.toFixed(2))} ${unit}`.trim()
  return `  ${head}><failure message="${escaped(`${measured}, at most ${most} ${unit}`.trim())}"/></testcase>`
}

/** One suite; a run that says nothing is a failure of its own. */
export const junitOf = ({ bench, limits, generator }: Pick<Report, "bench" | "limits" | "generator">): string => {
  const invalid = generator?.invalid ?? null
  const valid: Limit = { name: "the run is valid", value: invalid === null ? 0 : 1, unit: "", most: 0 }
  const cases = [
    ...limits.map((limit) => caseOf(bench, limit)),
    invalid === null
      ? caseOf(bench, valid)
      : `  <testcase classname="${escaped(bench)}" name="${valid.name}"><failure message="${escaped(invalid)}"/></testcase>`
  ]
  const failures = limits.filter((limit) => !met(limit)).length + (invalid === null ? 0 : 1)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="${escaped(bench)}" tests="${cases.length}" failures="${failures}">\n${cases.join("\n")}\n</testsuite>\n`
}

export const writeJUnit = async (
  file: string,
  report: Pick<Report, "bench" | "limits" | "generator">
): Promise<void> => {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, junitOf(report))
}
