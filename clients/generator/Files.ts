/** The files that `npm run client` writes, and what has to be said in the changelog first. */
import { existsSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { unnamedChanges } from "./Changelog.ts"
import { clientFiles, operatorFiles } from "./ClientFiles.ts"
import { interfaceChanges } from "./InterfaceChanges.ts"
import { type OpenApiDocument, operatorsDocument } from "./OpenApiDocument.ts"
import type { BreakingChange } from "./SchemaChanges.ts"
import { snapshotOf } from "./Snapshot.ts"

const root = resolve(import.meta.dirname, "../..")
const read = (file: string) => readFileSync(join(root, file), "utf8")

export const changelogFile = "docs/changelog.md"
export const snapshotFile = "docs/interface.json"

const within = (folder: string, files: Readonly<Record<string, string>>) =>
  Object.entries(files).map(([file, text]): [string, string] => [`${folder}/${file}`, text])

/** What the generated files of both clients hold, by their paths from the root of the project. */
export const generatedFiles = (document: OpenApiDocument): Readonly<Record<string, string>> =>
  Object.fromEntries([
    ...within("clients/typescript/src/generated", clientFiles(document)),
    ...within("web/src/api/operators", operatorFiles(operatorsDocument()))
  ])

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
