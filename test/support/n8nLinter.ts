/**
 * n8n's linter, in a folder of its own: it needs an older TypeScript beside ours. `npm test` installs it (`ensure-programs.ts`) from the list and the lock file
 * in `test/cli/describe/n8n`.
 */
import { execFileSync } from "node:child_process"
import { cpSync, existsSync, readFileSync, rmSync } from "node:fs"
import { join, resolve } from "node:path"

const root = resolve(import.meta.dirname, "../..")
const wanted = join(root, "test/cli/describe/n8n")
export const n8nLinter = join(root, "node_modules/.cache/n8n-linter")

const lockOf = (folder: string) => readFileSync(join(folder, "package-lock.json"), "utf8")

/** Whether it is installed as the lock file says. */
export const hasN8nLinter = (): boolean =>
  existsSync(join(n8nLinter, "node_modules/eslint")) && lockOf(n8nLinter) === lockOf(wanted)

/** Installs it. Nothing of the packages runs meanwhile. Throws when that fails. */
export const installN8nLinter = () => {
  rmSync(n8nLinter, { recursive: true, force: true })
  cpSync(wanted, n8nLinter, { recursive: true })
  const args = ["ci", "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund"]
  try {
    execFileSync("npm", args, { cwd: n8nLinter, stdio: "inherit" })
  } catch (cause) {
    rmSync(join(n8nLinter, "node_modules"), { recursive: true, force: true })
    throw cause
  }
}
