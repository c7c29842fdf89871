/** Writes each built text as Brotli and gzip too, once and at the highest level, and what the pages were built from. */
import { globSync } from "node:fs"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import type { Plugin } from "vite"
import { distFolder, sourceHash, stampFile } from "./freshness.ts"

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

/** Below this, a compressed file is hardly smaller. */
const leastBytes = 1_024

export const compressed = (): Plugin => ({
  name: "parley-compressed",
  apply: "build",
  enforce: "post",
  async closeBundle() {
    const files = globSync("**/*.{js,css,html,svg}", { cwd: distFolder })
    await Promise.all(
      files.map(async (file) => {
        const path = join(distFolder, file)
        const bytes = await readFile(path)
        if (bytes.length < leastBytes) return
        const params = {
          [constants.BROTLI_PARAM_QUALITY]: 11,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length
        }
        await Promise.all([
          brotli(bytes, { params }).then((small) => writeFile(`${path}.br`, small)),
          gzipped(bytes, { level: 9 }).then((small) => writeFile(`${path}.gz`, small))
        ])
      })
    )
    await writeFile(join(distFolder, stampFile), JSON.stringify({ sources: sourceHash() }))
  }
})
