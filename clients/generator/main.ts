/**
 * `npm run client`: writes the generated files of `clients/typescript`, and notes the interface as landed. It refuses to note a breaking change that
 * the changelog does not name.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { entryOf } from "./Changelog.ts"
import { changelogFile, generatedFiles, snapshotFile, unnamedSince } from "./Files.ts"
import { currentDocument } from "./OpenApiDocument.ts"
import { snapshotOf } from "./Snapshot.ts"

const root = resolve(import.meta.dirname, "../..")
const document = currentDocument()

for (const [file, text] of Object.entries(generatedFiles(document))) {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

const unnamed = unnamedSince(document)
if (unnamed.length > 0) {
  console.error(
    `The interface has changed in a way that breaks clients. Undo it, or add these to the newest section of ${changelogFile}:\n`
  )
  for (const change of unnamed) console.error(entryOf(change))
  console.error(`\n${snapshotFile} was not written.`)
  process.exitCode = 1
} else {
  writeFileSync(join(root, snapshotFile), snapshotOf(document))
}
