/** An app for an automation tool in a folder of its own, with stand-ins for the packages of the tool. */
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import { appFiles, writeApp } from "../../src/cli/describe/describe.ts"
import { temporaryFolder } from "./folder.ts"

/** The app in a new folder, which goes with the scope. `packages`: the code of packages that it loads, by name. */
export const makeAutomationApp = (
  name: Parameters<typeof appFiles>[0],
  packages: Readonly<Record<string, string>>,
  baseUrl = "https://app.example.com"
) =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder(name)
    yield* writeApp(folder, appFiles(name, { baseUrl }))
    for (const [of, code] of Object.entries(packages)) {
      const file = join(folder, "node_modules", of, "index.js")
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, code)
    }
    return folder
  })
