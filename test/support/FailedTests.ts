/**
 * Hands the tests that failed, and those that passed only when they were played again, to the file that `FAILED_TESTS` names. `test/all.ts` prints
 * them once more at the end of a whole run, whose parts write side by side.
 */
import { writeFileSync } from "node:fs"
import { relative } from "node:path"
import type { Reporter, SerializedError, TestModule } from "vitest/node"

declare module "vitest" {
  interface TaskMeta {
    /** The test shows that it is played again: that it was is no news. */
    isToBePlayedAgain?: boolean
  }
}

/** One line of the end of a run. */
export interface ToldTest {
  /** `test/…/File.test.ts > a thing > does this`. */
  readonly name: string
  /** Relative to the project; undefined for what failed outside of all files. */
  readonly file?: string
  /** What it failed with; the first two stacks suffice. Empty when it passed in the end. */
  readonly errors: ReadonlyArray<string>
}

const said = (errors: ReadonlyArray<SerializedError>): Array<string> =>
  errors.slice(0, 2).map((error) => error.stack ?? error.message)

export default class FailedTests implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandled: ReadonlyArray<SerializedError>): void {
    const path = process.env.FAILED_TESTS
    if (path === undefined) return
    const told: Array<ToldTest> =
      unhandled.length > 0 ? [{ name: "outside of the tests", errors: said(unhandled) }] : []
    for (const module of modules) {
      const file = relative(process.cwd(), module.moduleId)
      for (const suite of [module, ...module.children.allSuites()]) {
        const errors = suite.errors()
        if (errors.length > 0)
          told.push({ name: suite.type === "suite" ? `${file} > ${suite.fullName}` : file, file, errors: said(errors) })
      }
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result()
        if (state === "failed") told.push({ name: `${file} > ${test.fullName}`, file, errors: said(errors) })
        else if (state === "passed" && test.diagnostic()?.flaky && test.meta().isToBePlayedAgain !== true)
          told.push({ name: `${file} > ${test.fullName}`, file, errors: [] })
      }
      if (
        module.state() !== "passed" &&
        module.state() !== "skipped" &&
        !told.some(({ name }) => name.startsWith(file))
      ) {
        told.push({ name: file, file, errors: [`the file ended as ${module.state()}`] })
      }
    }
    writeFileSync(path, JSON.stringify(told))
  }
}
