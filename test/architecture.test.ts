/** Which files may import which. The rooms are the folders of `src`; all their files are checked. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { importsOf, loadedBy, root, show, sources, within } from "./support/imports.ts"

/** The folders of this project that a room may import from, besides itself. */
const rooms: Record<string, ReadonlyArray<string>> = {
  "src/audio": [],
  "src/domain": [],
  "src/actors": ["src/domain", "src/audio"],
  "src/integrations": ["src/domain"],
  "src/http": ["src/domain", "src/actors"]
}

/** Migrations lie outside `src` and import nothing of it; the adapter that runs them names their folder. */
const runsMigrations = (file: string) => within(file, "src/integrations/postgres")

/** The only files of `src` that may import the simulators. */
const maySimulate = (file: string) => file === "src/main.ts" || file.startsWith("src/cli/demo")

/** The files that speak the MCP protocol: its library describes tools with zod. */
const speaksMcp = (file: string) =>
  ["src/http/mcp", "src/cli/mcp", "src/integrations/mcp"].some((folder) => within(file, folder))

const all = sources("src").flatMap(importsOf)
const roomOf = (path: string) => Object.keys(rooms).find((room) => within(path, room))

/**
 * Lines with an `Effect.gen(function* …)` that is created anew whenever the code around it runs: within `Effect.fnUntraced`, `traced`, or a
 * function within a generator. `Effect.fn` without a name builds a layer. Code is formatted, so the code around a line is indented less.
 */
const nestedGenerators = (code: string): ReadonlyArray<number> => {
  const lines = code.split("\n")
  const indentation = lines.map((line) => line.search(/\S/))
  return lines.flatMap((line, at) => {
    if (!line.includes("Effect.gen(function*")) return []
    const around: Array<string> = []
    for (let above = at - 1, within = indentation[at]; above >= 0 && within > 0; above--) {
      // A line that only closes a bracket, e.g. of parameters over several lines, is skipped in favour of the line that opened it.
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

describe("in the architecture,", () => {
  it("there are imports to check", () => {
    expect(all.length).toBeGreaterThan(20)
  })

  it.each(Object.entries(rooms))("%s imports no folders of this project except itself and %j", (room, allowed) => {
    const wrong = all.filter(
      ({ file, target }) =>
        within(file, room) &&
        target !== undefined &&
        !(within(target, "migrations") && runsMigrations(file)) &&
        ![room, ...allowed].some((folder) => within(target, folder))
    )
    expect(wrong.map(show)).toEqual([])
  })

  it("no file of src imports tests or benchmarks, and only the room that runs migrations imports them", () => {
    const wrong = all.filter(
      ({ file, target }) =>
        target !== undefined &&
        (within(target, "test") ||
          within(target, "bench") ||
          (within(target, "migrations") && roomOf(file) !== undefined && !runsMigrations(file)))
    )
    expect(wrong.map(show)).toEqual([])
  })

  it("clients are made for others: no file of src imports them, and only their generator knows the service", () => {
    const inside = all.filter(({ target }) => target !== undefined && within(target, "clients"))
    expect(inside.map(show)).toEqual([])
    // Neither packages nor platform modules: it runs in pages, too.
    const imports = sources("clients/typescript/src").flatMap(importsOf)
    expect(imports.length).toBeGreaterThan(10)
    const outside = imports.filter(({ target }) => target === undefined || !within(target, "clients/typescript/src"))
    expect(outside.map(show)).toEqual([])
    const generator = sources("clients/generator").flatMap(importsOf)
    const wrong = generator.filter(
      ({ target }) => target !== undefined && within(target, "src") && target !== "src/http/groups/Api.ts"
    )
    expect(wrong.map(show)).toEqual([])
  })

  it("only the demo imports the simulators", () => {
    const wrong = all.filter(
      ({ file, target }) => target !== undefined && within(target, "simulators") && !maySimulate(file)
    )
    expect(wrong.map(show)).toEqual([])
  })

  it("the room audio imports no package except the mu-law codec, and no platform module", () => {
    const wrong = all.filter(
      ({ file, specifier, target }) => within(file, "src/audio") && target === undefined && specifier !== "mulaw-js"
    )
    expect(wrong.map(show)).toEqual([])
  })

  it("the process of the sound loads only our own files, the mu-law codec and the server of the streams: no Effect", () => {
    const sound = sources("src/actors/voice/sound")
    expect(sound.length).toBeGreaterThan(5)
    const packages = loadedBy([...sound, "src/cli/process/media.ts"]).filter(({ target }) => target === undefined)
    expect(
      packages.filter(({ specifier }) => !/^(mulaw-js|uWebSockets\.js|node:.*)$/.test(specifier)).map(show)
    ).toEqual([])
  })

  it("the sound of a call does not know its mind", () => {
    const wrong = sources("src/actors/voice/sound")
      .flatMap(importsOf)
      .filter(({ target }) => target !== undefined && within(target, "src/actors/voice/call"))
    expect(wrong.map(show)).toEqual([])
  })

  it("the room domain does no input or output of its own", () => {
    const wrong = all.filter(
      ({ file, specifier }) =>
        within(file, "src/domain") &&
        /^(node:(fs|net|http|https|child_process|dgram|tls)|ws$|ioredis|uWebSockets)/.test(specifier)
    )
    expect(wrong.map(show)).toEqual([])
  })

  it("schemas are written with Effect: only MCP imports zod", () => {
    const wrong = all.filter(({ file, specifier }) => /^zod(\/|$)/.test(specifier) && !speaksMcp(file))
    expect(wrong.map(show)).toEqual([])
  })

  it("only the transports of MCP import its libraries", () => {
    const folders = ["src/http/mcp/transport", "src/cli/mcp", "src/integrations/mcp"]
    const uses = all.filter(({ specifier }) => specifier.startsWith("@modelcontextprotocol/"))
    expect(uses.length).toBeGreaterThan(0)
    expect(uses.filter(({ file }) => !folders.some((folder) => within(file, folder))).map(show)).toEqual([])
  })

  it("rooms read no environment variables: options come from outside", () => {
    // Handing the whole environment on to a child process (`...process.env`) reads none, nor does setting one for a library.
    const wrong = sources("src").filter(
      (file) =>
        roomOf(file) !== undefined &&
        /(?<!\.\.\.)\bprocess\.env\b(?!\.\w+ = )/.test(readFileSync(join(root, file), "utf8"))
    )
    expect(wrong).toEqual([])
  })

  it("HTTP code creates no generator function for each request", () => {
    const wrong = sources("src/http").flatMap((file) =>
      nestedGenerators(readFileSync(join(root, file), "utf8")).map((line) => `${file}:${line}`)
    )
    expect(wrong).toEqual([])
  })

  it("spans are begun by `traced`, because `Effect.fn` records the place of each call", () => {
    const named = sources("src").filter((file) => /Effect\.fn\(\s*["'`]/.test(readFileSync(join(root, file), "utf8")))
    expect(named).toEqual([])
  })

  it("the check finds generator functions inside code that runs for each request, and no others", () => {
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
