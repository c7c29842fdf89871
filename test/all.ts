/**
 * Runs all tests: `npm test`. Stories mostly wait, by the clock; the others mostly compute. So they run at the same time, and the stories have the
 * processor whenever they want it. At the end, what failed is told once more. `npm test -- FILE …` runs those files alone.
 */
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { setPriority, tmpdir } from "node:os"
import { join, resolve } from "node:path"
import type { ToldTest } from "./support/FailedTests.ts"

const vitest = resolve(import.meta.dirname, "../node_modules/vitest/vitest.mjs")
const reporter = resolve(import.meta.dirname, "support/FailedTests.ts")

/** Of the tests that give way to the stories. */
const yielding = 5

interface Part {
  readonly args: ReadonlyArray<string>
  readonly niceness: number
  /** Where the failed tests of this part are told. */
  readonly told: string
}

/** The exit status; 1 when a signal ended it. */
const run = ({ args, niceness, told }: Part): Promise<number> =>
  new Promise((done, failed) => {
    const child = spawn(process.execPath, [vitest, "run", "--reporter=default", `--reporter=${reporter}`, ...args], {
      stdio: "inherit",
      env: { ...process.env, FAILED_TESTS: told }
    })
    child.once("error", failed)
    child.once("exit", (code) => done(code ?? 1))
    if (niceness > 0 && child.pid !== undefined) setPriority(child.pid, niceness)
  })

/** What a part told. A part that died told nothing. */
const toldBy = ({ args, told }: Part): ReadonlyArray<ToldTest> => {
  try {
    return JSON.parse(readFileSync(told, "utf8"))
  } catch (cause) {
    return [
      { name: args.join(" "), errors: [`ended without a report (${cause instanceof Error ? cause.message : cause})`] }
    ]
  }
}

const tellEnd = (tests: ReadonlyArray<ToldTest>): void => {
  const again = tests.filter(({ errors }) => errors.length === 0)
  const failed = tests.filter(({ errors }) => errors.length > 0)
  if (again.length > 0)
    console.log(`\nPassed only when played again:\n${again.map(({ name }) => `  ${name}`).join("\n")}`)
  if (failed.length > 0) {
    console.log(
      `\nFailed:\n${failed.map(({ name, errors }) => `\n  ${name}\n${errors.join("\n").replace(/^/gm, "    ")}`).join("\n")}`
    )
  }
}

const args = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), "parley-tests-"))
const parts: ReadonlyArray<Part> =
  args.length > 0
    ? [{ args, niceness: 0, told: join(folder, "some.json") }]
    : [
        { args: ["--project", "stories"], niceness: 0, told: join(folder, "stories.json") },
        { args: ["--project", "fast", "--project", "service"], niceness: yielding, told: join(folder, "others.json") }
      ]
const codes = await Promise.all(parts.map(run))
if (args.length === 0) tellEnd(parts.flatMap(toldBy))
rmSync(folder, { recursive: true })
process.exitCode = Math.max(...codes)
