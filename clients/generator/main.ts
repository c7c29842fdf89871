/**
 * `npm run client`: writes the generated files of `clients/typescript` and of the operators' part of the dashboard, and notes the interface as landed. It refuses to note a breaking change that
 * the changelog does not name. With `--check` it writes nothing, and fails when something would have to be written.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { entryOf } from "./Changelog.ts"
import { changelogFile, generatedFiles, snapshotFile, staleFiles, unnamedSince } from "./Files.ts"
import { currentDocument } from "./OpenApiDocument.ts"
import { snapshotOf } from "./Snapshot.ts"

const root = resolve(import.meta.dirname, "../..")
const document = currentDocument()
const onlyChecks = process.argv.includes("--check")

const write = (file: string, text: string): void => {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

if (!onlyChecks) for (const [file, text] of Object.entries(generatedFiles(document))) write(file, text)

const unnamed = unnamedSince(document)
if (unnamed.length > 0) {
  console.error("The interface has changed in a way that breaks clients.")
  console.error(`Undo it, or add these to the newest section of ${changelogFile} and run \`npm run client\`:\n`)
  for (const change of unnamed) console.error(entryOf(change))
  console.error(`\n${snapshotFile} was not written.`)
  process.exitCode = 1
} else if (!onlyChecks) {
  write(snapshotFile, snapshotOf(document))
} else {
  const stale = staleFiles(document)
  if (stale.length > 0) {
    console.error(`The interface has changed. Run \`npm run client\`, which writes ${stale.join(", ")}.`)
    process.exitCode = 1
  }
}
