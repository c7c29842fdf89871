/** The imports between files and folders, read from the source text, and the circles among them. */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve, sep } from "node:path"

/** The root of the project. */
export const root = resolve(import.meta.dirname, "../..")

/** Whether `path` is `folder` or lies in it. */
export const within = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)

const slashed = (path: string) => path.split(sep).join("/")

/** The TypeScript files of a folder and of all below it, as paths from the root. */
export const sources = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => slashed(relative(root, join(entry.parentPath, entry.name))))

export interface Import {
  readonly file: string
  /** The specifier as it is written in the file. */
  readonly specifier: string
  /** Path from the root when it is one of our files; `undefined` for a package. */
  readonly target: string | undefined
}

/** `from "x"`, `import "x"`, `import("x")`, `require("x")`, and paths made with `new URL("./x", import.meta.url)`. */
const specifierPattern =
  /(?:\bfrom\s*|(?<!\/)\bimport\s*\(?\s*|\brequire\s*\(\s*|\bnew\s+URL\s*\(\s*)["'`]([^"'`\n]+)["'`]/g

// Comments are removed: a sentence in them is no import.
const codeOf = (file: string) => readFileSync(join(root, file), "utf8").replace(/^\s*(\/\/|\/\*|\*).*$/gm, "")

const importsIn = (file: string, code: string): ReadonlyArray<Import> =>
  [...code.matchAll(specifierPattern)].map(([, specifier]) => ({
    file,
    specifier,
    target: specifier.startsWith(".") ? slashed(relative(root, resolve(root, dirname(file), specifier))) : undefined
  }))

/** The imports of a file, including types. */
export const importsOf = (file: string): ReadonlyArray<Import> => importsIn(file, codeOf(file))

/** Everything that is loaded with these files: their imports without types, and those of the files that they load. */
export const loadedBy = (files: ReadonlyArray<string>): ReadonlyArray<Import> => {
  const found: Array<Import> = []
  const seen = new Set(files)
  for (const file of seen) {
    const imports = importsIn(file, codeOf(file).replace(/^(im|ex)port type [^"]*"[^"]*"/gm, ""))
    found.push(...imports)
    for (const { target } of imports) if (target !== undefined) seen.add(target)
  }
  return found
}

/** The import as words for a failure message. */
export const show = ({ file, specifier }: Import): string => `${file} imports ${specifier}`

export type Edge = readonly [from: string, to: string]

/** Imports among these files, from file to file. */
export const edgesAmong = (files: ReadonlyArray<string>): ReadonlyArray<Edge> => {
  const known = new Set(files)
  return files
    .flatMap(importsOf)
    .flatMap(({ file, target }) =>
      target !== undefined && target !== file && known.has(target) ? [[file, target] as const] : []
    )
}

/**
 * The groups of nodes that reach each other and themselves again (Tarjan's strongly connected components of more than one node). Empty if there
 * is no circle.
 */
export const circles = (edges: ReadonlyArray<Edge>): ReadonlyArray<ReadonlyArray<string>> => {
  const next = new Map<string, Array<string>>()
  for (const [from, to] of edges) {
    next.set(from, [...(next.get(from) ?? []), to])
    if (!next.has(to)) next.set(to, [])
  }
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: Array<string> = []
  const found: Array<ReadonlyArray<string>> = []
  const lower = (node: string, to: number) => lowest.set(node, Math.min(lowest.get(node) ?? to, to))
  const visit = (node: string): void => {
    const place = order.size
    order.set(node, place)
    lowest.set(node, place)
    stack.push(node)
    for (const other of next.get(node) ?? []) {
      if (!order.has(other)) visit(other)
      if (stack.includes(other)) lower(node, lowest.get(other) ?? place)
    }
    if (lowest.get(node) !== place) return
    const circle = stack.splice(stack.indexOf(node))
    if (circle.length > 1) found.push(circle.toSorted())
  }
  for (const node of next.keys()) if (!order.has(node)) visit(node)
  return found
}

/** Every folder that holds one of these files, directly or further down. */
export const foldersOf = (files: ReadonlyArray<string>): ReadonlyArray<string> => {
  const folders = new Set<string>()
  for (const file of files)
    for (let folder = dirname(file); folder !== "."; folder = dirname(folder)) folders.add(folder)
  return [...folders].toSorted()
}

/** Where a file lies below `folder`: the name of the folder next below it, `(files)` for its own files, `undefined` outside. */
export const wingOf = (file: string, folder: string): string | undefined => {
  if (!file.startsWith(`${folder}/`)) return undefined
  const [first, ...rest] = file.slice(folder.length + 1).split("/")
  return rest.length === 0 ? "(files)" : first
}

/** Imports between the parts of a folder: its sub-folders, each as a whole, and its own files together. */
export const wingEdges = (edges: ReadonlyArray<Edge>, folder: string): ReadonlyArray<Edge> =>
  edges.flatMap(([from, to]) => {
    const [a, b] = [wingOf(from, folder), wingOf(to, folder)]
    return a === undefined || b === undefined || a === b ? [] : [[a, b] as const]
  })
