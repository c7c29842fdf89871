/** The files that `npm run client` writes, and what has to be said in the changelog first. */
import { existsSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { unnamedChanges } from "./Changelog.ts"
import { clientFiles } from "./ClientFiles.ts"
import { interfaceChanges } from "./InterfaceChanges.ts"
import type { OpenApiDocument } from "./OpenApiDocument.ts"
import type { BreakingChange } from "./SchemaChanges.ts"
import { snapshotOf } from "./Snapshot.ts"

const root = resolve(import.meta.dirname, "../..")
const read = (file: string) => readFileSync(join(root, file), "utf8")

export const changelogFile = "docs/changelog.md"
export const snapshotFile = "docs/interface.json"

/** What the generated files of the client hold, by their paths from the root of the project. */
export const generatedFiles = (document: OpenApiDocument): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(clientFiles(document)).map(([file, text]) => [`clients/typescript/src/generated/${file}`, text])
  )

/** The breaking changes since the interface was landed last that the changelog does not name. */
export const unnamedSince = (document: OpenApiDocument): ReadonlyArray<BreakingChange> => {
  const text = read(snapshotFile)
  if (/^<{7} /m.test(text))
    throw new Error(`${snapshotFile} has conflicts: take that of main, with git checkout main -- ${snapshotFile}.`)
  const landed: OpenApiDocument = JSON.parse(text)
  return unnamedChanges(read(changelogFile), interfaceChanges(landed, document))
}

/** The files that do not hold what they should. */
export const staleFiles = (document: OpenApiDocument): ReadonlyArray<string> =>
  Object.entries({ ...generatedFiles(document), [snapshotFile]: snapshotOf(document) })
    .filter(([file, text]) => !existsSync(join(root, file)) || read(file) !== text)
    .map(([file]) => file)
