/** Whether the built pages are those of the sources: `dist/build.json` holds the hash of everything that they are built from. */
import { createHash } from "node:crypto"
import { existsSync, globSync, readFileSync } from "node:fs"
import { join } from "node:path"

const projectRoot = join(import.meta.dirname, "../..")
export const distFolder = join(projectRoot, "web/dist")
export const stampFile = "build.json"

const inputs = [
  "web/index.html",
  "web/vite.config.ts",
  "web/build/**/*.ts",
  "web/i18n/*.po",
  "web/src/**/*.*",
  "clients/typescript/src/**/*.ts",
  "package-lock.json"
]

/** The hash of all sources. */
export const sourceHash = (): string => {
  const hash = createHash("sha256")
  const files = inputs.flatMap((pattern) => globSync(pattern, { cwd: projectRoot })).sort()
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(projectRoot, file)))
      .update("\0")
  return hash.digest("hex")
}

export type Freshness = "fresh" | "stale" | "missing"

export const freshness = (): Freshness => {
  const stamp = join(distFolder, stampFile)
  if (!existsSync(stamp)) return "missing"
  const { sources } = JSON.parse(readFileSync(stamp, "utf8")) as { readonly sources?: string }
  return sources === sourceHash() ? "fresh" : "stale"
}
