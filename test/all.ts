/**
 * Runs all tests: `npm test`. Stories mostly wait, by the clock; the others mostly compute. So they run at the same time, and the stories have the
 * processor whenever they want it. The few files that failed are then run again with nothing beside them, because a full machine can make any test
 * late. At the end it is told what failed, and what passed only then, with its first error. `npm test -- FILE …` runs those files alone, once.
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

/** More files than this do not fail because the machine was full. */
const mostPlayedAgain = 6

const filesOf = (tests: ReadonlyArray<ToldTest>): ReadonlyArray<string> => [
  ...new Set(tests.flatMap(({ file }) => file ?? []))
]

const list = (tests: ReadonlyArray<ToldTest>): string =>
  tests
    .map(({ name, errors }) => `\n  ${name}${errors.map((error) => `\n${error.replace(/^/gm, "    ")}`).join("")}`)
    .join("")

const tell = (title: string, tests: ReadonlyArray<ToldTest>): void => {
  if (tests.length > 0) console.log(`\n${title}:${list(tests)}`)
}

/** Runs everything, and once more the files that failed. The exit status. */
const runAll = async (folder: string): Promise<number> => {
  const parts: ReadonlyArray<Part> = [
    { args: ["--project", "stories"], niceness: 0, told: join(folder, "stories.json") },
    { args: ["--project", "fast", "--project", "service"], niceness: yielding, told: join(folder, "others.json") }
  ]
  const codes = await Promise.all(parts.map(run))
  const told = parts.flatMap(toldBy)
  const repeated = told.filter(({ errors }) => errors.length === 0)
  const failed = told.filter(({ errors }) => errors.length > 0)
  const files = filesOf(failed)
  const canPlayAgain =
    files.length > 0 && files.length <= mostPlayedAgain && failed.every(({ file }) => file !== undefined)
  if (!canPlayAgain) {
    tell("Passed only when played again", repeated)
    tell("Failed", failed)
    return Math.max(...codes)
  }
  console.log(`\nPlayed again, with nothing beside: ${files.join(", ")}`)
  const again: Part = { args: files, niceness: 0, told: join(folder, "again.json") }
  const code = await run(again)
  const failedAgain = toldBy(again).filter(({ errors }) => errors.length > 0)
  tell("Passed only when played again", repeated)
  tell(
    "Failed, and passed when played again with nothing beside",
    failed.filter(({ name }) => !failedAgain.some((other) => other.name === name))
  )
  tell("Failed", failedAgain)
  return code
}

const args = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), "parley-tests-"))
process.exitCode =
  args.length > 0 ? await run({ args, niceness: 0, told: join(folder, "some.json") }) : await runAll(folder)
rmSync(folder, { recursive: true })
