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

/**
 * Lines with an `Effect.gen(function* …)` that is made anew whenever what is around it runs: within `Effect.fnUntraced`, `traced`, or a
 * function within a generator. `Effect.fn` without a name builds a layer. Code is formatted, so what a line is in is indented less.
 */
const nestedGenerators = (code: string): ReadonlyArray<number> => {
  const lines = code.split("\n")
  const indentation = lines.map((line) => line.search(/\S/))
  return lines.flatMap((line, at) => {
    if (!line.includes("Effect.gen(function*")) return []
    const around: Array<string> = []
    for (let above = at - 1, within = indentation[at]; above >= 0 && within > 0; above--) {
      // A line that closes something, e.g. parameters over several lines, stands for the one that opened it.
      if (indentation[above] < 0 || indentation[above] >= within || /^\s*[)}\]]/.test(lines[above])) continue
      around.push(lines[above])
      within = indentation[above]
    }
    const runsOften = around.some((outer) => /(Effect\.fnUntraced|traced)\(/.test(outer))
    const arrow = around.findIndex((outer) => /=>( \{)?$/.test(outer))
    const inGenerator = arrow >= 0 && around.slice(arrow + 1).some((outer) => outer.includes("function*"))
    return runsOften || inGenerator ? [at + 1] : []
  })
}

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

  it("front doors make no generator function for a request: none inside what runs for one", () => {
    const wrong = sources("src/http").flatMap((file) =>
      nestedGenerators(readFileSync(join(root, file), "utf8")).map((line) => `${file}:${line}`)
    )
    expect(wrong).toEqual([])
  })

  it("spans are begun by `traced`: `Effect.fn` notes where it was called, each time", () => {
    const named = sources("src").filter((file) => /Effect\.fn\(\s*["'`]/.test(readFileSync(join(root, file), "utf8")))
    expect(named).toEqual([])
  })

  it("finds generator functions inside what runs for each request, and no others", () => {
    const code = `
export const layer = group(
  "things",
  Effect.fn(function* (handlers) {
    const once = Effect.gen(function* () {
      yield* Effect.void
    })
    const known = Effect.fnUntraced(function* (id: string) {
      const nested = Effect.gen(function* () {
        yield* once
      })
      return yield* nested
    })
    const longer = traced("longer")(function* (
      id: string
    ) {
      return yield* Effect.gen(function* () {
        yield* known(id)
      })
    })
    return handlers.handle("get", ({ params }) =>
      Effect.gen(function* () {
        yield* known(params.id)
      })
    )
  })
)`
    expect(nestedGenerators(code)).toEqual([9, 17, 22])
  })
})
