/**
 * Runs all tests: `npm test`. Stories mostly wait, by the clock; the others mostly compute. So they run at the same time, and the stories have the
 * processor whenever they want it. `npm test -- FILE …` runs those files alone.
 */
import { spawn } from "node:child_process"
import { setPriority } from "node:os"
import { resolve } from "node:path"

const vitest = resolve(import.meta.dirname, "../node_modules/vitest/vitest.mjs")

/** Of the tests that give way to the stories. */
const yielding = 5

/** The exit status; 1 when a signal ended it. */
const run = (args: ReadonlyArray<string>, niceness = 0): Promise<number> =>
  new Promise((done, failed) => {
    const child = spawn(process.execPath, [vitest, "run", ...args], { stdio: "inherit" })
    child.once("error", failed)
    child.once("exit", (code) => done(code ?? 1))
    if (niceness > 0 && child.pid !== undefined) setPriority(child.pid, niceness)
  })

const args = process.argv.slice(2)
const codes =
  args.length > 0
    ? [await run(args)]
    : await Promise.all([run(["--project", "stories"]), run(["--project", "fast", "--project", "service"], yielding)])
process.exitCode = Math.max(...codes)
