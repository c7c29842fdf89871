/**
 * The built files of the dashboard, read once while the server starts. A request only looks a name up, so no path of a request ever reaches the disk.
 */
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { extname, join } from "node:path"

/** The encodings that are built beside each file, the smaller one first, with the ends of their names. */
const encodings = { br: ".br", gzip: ".gz" } as const
export type BuiltEncoding = keyof typeof encodings

/** What is read: one file of more, or more files, is no build of ours. */
const mostBytes = 4 * 1024 * 1024
const mostFiles = 1_000

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".png": "image/png",
  ".wav": "audio/wav"
}

export interface BuiltFile {
  readonly contentType: string
  readonly bytes: Uint8Array
  /** The hash of the content in base64url: the core of its ETag. */
  readonly hash: string
  readonly encoded: Readonly<Partial<Record<BuiltEncoding, Uint8Array>>>
}

export interface BuiltDashboard {
  readonly page: BuiltFile
  /** By name. */
  readonly assets: ReadonlyMap<string, BuiltFile>
}

const isEncoded = (name: string) => Object.values(encodings).some((end) => name.endsWith(end))

const readBounded = (path: string): Uint8Array => {
  const { size } = statSync(path)
  if (size > mostBytes) throw new Error(`${path} has ${size} bytes: a file of the dashboard has ${mostBytes} at most.`)
  return readFileSync(path)
}

const read = (path: string): BuiltFile => {
  const bytes = readBounded(path)
  const encoded = Object.entries(encodings).flatMap(([encoding, end]) =>
    existsSync(path + end) ? [[encoding, readBounded(path + end)] as const] : []
  )
  return {
    contentType: types[extname(path)] ?? "application/octet-stream",
    bytes,
    hash: createHash("sha256").update(bytes).digest("base64url").slice(0, 22),
    encoded: Object.fromEntries(encoded)
  }
}

/** Reads the folder that `npm run build:web` writes; undefined when nothing is built. Throws when it holds what no build of ours holds. */
export const readBuiltDashboard = (folder: string): BuiltDashboard | undefined => {
  const page = join(folder, "index.html")
  if (!existsSync(page)) return undefined
  const assets = join(folder, "assets")
  const entries = readdirSync(assets, { withFileTypes: true }).filter((entry) => entry.isFile())
  if (entries.length > mostFiles) throw new Error(`${assets} holds ${entries.length} files: ${mostFiles} at most.`)
  const names = entries.map(({ name }) => name).filter((name) => !isEncoded(name))
  return { page: read(page), assets: new Map(names.map((name) => [name, read(join(assets, name))])) }
}
