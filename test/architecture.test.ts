/** Who may import whom. The rooms are the folders of `src`; everything in them is scanned. */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve, sep } from "node:path"
import { describe, expect, it } from "vitest"

const root = resolve(import.meta.dirname, "..")

const within = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`)

/** Our own folders that a room may import from, beside itself. */
const rooms: Record<string, ReadonlyArray<string>> = {
  "src/audio": [],
  "src/domain": [],
  "src/actors": ["src/domain", "src/audio"],
  "src/integrations": ["src/domain"],
  "src/http": ["src/domain", "src/actors"]
}

/** Migrations lie outside `src` and import nothing of it; the adapter that runs them names their folder. */
const runsMigrations = (file: string) => within(file, "src/integrations/postgres")

/** The only files of `src` that may know the simulated world outside. */
const maySimulate = (file: string) => file === "src/main.ts" || file.startsWith("src/cli/demo")

const sources = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))

/** `from "x"`, `import "x"`, `import("x")`, `require("x")`, and paths made with `new URL("./x", import.meta.url)`. */
const specifierPattern = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*|\bnew\s+URL\s*\(\s*)["'`]([^"'`\n]+)["'`]/g

interface Import {
  readonly file: string
  readonly specifier: string
  /** Path from the root of the project when it is one of our files. */
  readonly target: string | undefined
}

const importsOf = (file: string): ReadonlyArray<Import> => {
  // A sentence in a comment is no import.
  const code = readFileSync(join(root, file), "utf8").replace(/^\s*(\/\/|\/\*|\*).*$/gm, "")
  return [...code.matchAll(specifierPattern)].map(([, specifier]) => ({
    file,
    specifier,
    target: specifier.startsWith(".")
      ? relative(root, resolve(root, dirname(file), specifier))
          .split(sep)
          .join("/")
      : undefined
  }))
}

const show = ({ file, specifier }: Import) => `${file} imports ${specifier}`

const all = sources("src").flatMap(importsOf)
const roomOf = (path: string) => Object.keys(rooms).find((room) => within(path, room))

describe("architecture", () => {
  it("there is something to check", () => {
    expect(all.length).toBeGreaterThan(20)
  })

  it.each(Object.entries(rooms))("%s imports of ours only itself and %j", (room, allowed) => {
    const wrong = all.filter(
      ({ file, target }) =>
        within(file, room) &&
        target !== undefined &&
        !(within(target, "migrations") && runsMigrations(file)) &&
        ![room, ...allowed].some((folder) => within(target, folder))
    )
    expect(wrong.map(show)).toEqual([])
  })

  it("nothing in src knows tests or benchmarks, and no room but the one that runs them knows migrations", () => {
    const wrong = all.filter(
      ({ file, target }) =>
        target !== undefined &&
        (within(target, "test") ||
          within(target, "bench") ||
          (within(target, "migrations") && roomOf(file) !== undefined && !runsMigrations(file)))
    )
    expect(wrong.map(show)).toEqual([])
  })

  it("only the demo behind the front door knows the simulators", () => {
    const wrong = all.filter(
      ({ file, target }) => target !== undefined && within(target, "simulators") && !maySimulate(file)
    )
    expect(wrong.map(show)).toEqual([])
  })

  it("audio is pure: no packages but the mu-law codec, no platform modules", () => {
    const wrong = all.filter(
      ({ file, specifier, target }) => within(file, "src/audio") && target === undefined && specifier !== "mulaw-js"
    )
    expect(wrong.map(show)).toEqual([])
  })

  it("domain does no input or output of its own", () => {
    const wrong = all.filter(
      ({ file, specifier }) =>
        within(file, "src/domain") &&
        /^(node:(fs|net|http|https|child_process|dgram|tls)|ws$|ioredis|uWebSockets)/.test(specifier)
    )
    expect(wrong.map(show)).toEqual([])
  })

  it("rooms read no environment variables: options come from outside", () => {
    // Handing the whole environment on to a child process (`...process.env`) reads none.
    const wrong = sources("src").filter(
      (file) => roomOf(file) !== undefined && /(?<!\.\.\.)\bprocess\.env\b/.test(readFileSync(join(root, file), "utf8"))
    )
    expect(wrong).toEqual([])
  })
})
