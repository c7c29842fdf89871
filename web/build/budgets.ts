/** How many bytes a browser fetches for each page, and how many it may. Bytes are those that are sent: Brotli, and fonts as they are. */
import { existsSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { distFolder } from "./freshness.ts"

const KB = 1_024

/** Everything that every page needs: scripts, styles, the English catalog and the Latin letters. */
export const mostOfShell = 185 * KB
/** The shell and the inbox, where most people begin. */
export const mostOfFirstLoad = 220 * KB
/** Files that the shell is fetched in, besides the page itself. */
export const mostShellFiles = 8

/** What a page may add to the shell, by its file in `web/src/routes`; KB. */
const mostOfPages: Readonly<Record<string, number>> = {
  "Inbox.tsx": 41,
  "CallPage.tsx": 30,
  "Live.tsx": 20,
  "AgentPage.tsx": 60,
  "Analytics.tsx": 45
}
const mostOfOthers = 40
export const mostOfPage = (file: string): number => (mostOfPages[file] ?? mostOfOthers) * KB

interface Chunk {
  readonly file: string
  readonly src?: string
  readonly imports?: ReadonlyArray<string>
  readonly css?: ReadonlyArray<string>
}

type Manifest = Readonly<Record<string, Chunk>>

export interface Weight {
  readonly files: ReadonlyArray<string>
  readonly bytes: number
}

export interface Weights {
  readonly shell: Weight
  /** What each page adds to the shell, by its file in `web/src/routes`. */
  readonly pages: Readonly<Record<string, Weight>>
}

const sentBytes = (file: string): number => {
  const path = join(distFolder, file)
  return statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size
}

const weightOf = (files: ReadonlySet<string>): Weight => ({
  files: [...files],
  bytes: [...files].reduce((sum, file) => sum + sentBytes(file), 0)
})

/** The chunks that are fetched with one, and their styles. */
const closureOf = (manifest: Manifest, key: string, found = new Set<string>()): ReadonlySet<string> => {
  const chunk = manifest[key]
  if (chunk === undefined || found.has(chunk.file)) return found
  found.add(chunk.file)
  for (const style of chunk.css ?? []) found.add(style)
  for (const next of chunk.imports ?? []) closureOf(manifest, next, found)
  return found
}

/** The files that the page itself names. */
const namedInPage = (): ReadonlyArray<string> =>
  [...readFileSync(join(distFolder, "index.html"), "utf8").matchAll(/="\/(assets\/[^"]+)"/g)].map(([, file]) => file)

const keyOf = (manifest: Manifest, name: RegExp): string => {
  const found = Object.keys(manifest).find((key) => name.test(key))
  if (found === undefined) throw new Error(`The build has nothing that is called ${name}.`)
  return found
}

/** Weighs what `npm run build:web` has written. */
export const weighPages = (): Weights => {
  const manifest = JSON.parse(readFileSync(join(distFolder, ".vite/manifest.json"), "utf8")) as Manifest
  const shell = new Set([
    "index.html",
    ...namedInPage(),
    ...closureOf(manifest, keyOf(manifest, /catalog\/en$/)),
    ...closureOf(manifest, keyOf(manifest, /inter-latin-wght-normal\.woff2$/))
  ])
  const pages = Object.entries(manifest).flatMap(([key, { src }]) => {
    const [, name] = /(?:^|\/)src\/routes\/((?:\w+\/)*\w+\.tsx)$/.exec(src ?? key) ?? []
    if (name === undefined) return []
    return [[name, weightOf(new Set([...closureOf(manifest, key)].filter((file) => !shell.has(file))))] as const]
  })
  return { shell: weightOf(shell), pages: Object.fromEntries(pages) }
}
