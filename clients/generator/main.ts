/** `npm run client`: writes the generated files of `clients/typescript`. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { clientFiles } from "./ClientFiles.ts"
import { currentDocument } from "./OpenApiDocument.ts"

const folder = resolve(import.meta.dirname, "../typescript/src/generated")

const document = currentDocument()
mkdirSync(folder, { recursive: true })
for (const [file, text] of Object.entries(clientFiles(document))) writeFileSync(join(folder, file), text)
