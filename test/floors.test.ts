/**
 * The order of imports inside the rooms. A room's wings are on floors: a wing imports only from the floors below its own, and wings of one floor
 * do not import each other. `docs/architecture.md` shows the floors; this file checks them.
 */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { circles, type Edge, edgesAmong, foldersOf, sources, wingEdges, wingOf } from "./support/imports.ts"

/** The floors of each folder, from the top down. `(files)` are the folder's own files. */
const floors: Readonly<Record<string, ReadonlyArray<ReadonlyArray<string>>>> = {
  "src/audio": [["recording", "turn"], ["vad", "playout"], ["frames"]],
  "src/domain": [
    ["operators"],
    ["events", "privacy"],
    ["payments"],
    ["apps"],
    ["messaging", "usage", "business"],
    ["voice", "imports"],
    ["ai"],
    ["people"],
    ["basics"]
  ],
  "src/domain/people": [["oauth"], ["organizations", "contacts"], ["access"]],
  "src/domain/ai": [["knowledge"], ["providers"], ["tools"]],
  "src/domain/voice": [["calls"], ["telephony", "dialogue"], ["agents"], ["engine"]],
  "src/domain/voice/calls": [["inbound", "outbound"], ["live"], ["records"]],
  "src/domain/messaging": [
    ["rehearsal"],
    ["agents"],
    ["sending", "broadcasts"],
    ["templates"],
    ["channel"],
    ["conversations", "media"]
  ],
  "src/actors": [["voice", "messaging", "knowledge", "events", "privacy", "imports", "apps", "payments", "operators"]],
  "src/integrations/postgres": [
    ["(files)"],
    ["usage", "privacy", "apps", "operators"],
    ["payments"],
    ["access", "voice", "knowledge", "ai"],
    ["messaging", "business"],
    ["people", "imports"],
    ["events"],
    ["tenancy"],
    ["database"]
  ],
  "src/http/mcp": [["transport"], ["assistant"], ["resources"], ["tools"], ["protocol"]],
  "src/http": [
    ["(files)"],
    ["mcp"],
    ["handlers", "oauth", "pay", "dashboard"],
    ["groups"],
    ["middleware", "docs"],
    ["wire"],
    ["server", "media-stream"]
  ]
}

const src = sources("src")
const simulators = sources("simulators")
const edges = edgesAmong([...src, ...simulators])

const list = (groups: ReadonlyArray<ReadonlyArray<string>>) => groups.map((group) => group.join(" ↔ "))

describe("inside a room,", () => {
  it.each(Object.entries(floors))("%s has its wings on the floors %j", (folder, order) => {
    const wings = new Set([...src, ...simulators].flatMap((file) => wingOf(file, folder) ?? []))
    const placed = new Set(order.flat())
    expect([...wings].filter((wing) => !placed.has(wing) && wing !== "(files)")).toEqual([])
    expect([...placed].filter((wing) => !wings.has(wing))).toEqual([])
  })

  it.each(Object.entries(floors))("a wing of %s imports only from floors below its own", (folder, order) => {
    const floorOf = (wing: string) => order.findIndex((floor) => floor.includes(wing))
    const wrong = edges.filter(([from, to]) => {
      const [above, below] = [wingOf(from, folder), wingOf(to, folder)]
      return (
        above !== undefined &&
        below !== undefined &&
        above !== below &&
        (floorOf(below) < 0 || floorOf(above) < 0 || floorOf(above) >= floorOf(below))
      )
    })
    expect(wrong.map(([from, to]) => `${from} imports ${to}`)).toEqual([])
  })

  it("no folder holds more than 25 files", () => {
    const counts = new Map<string, number>()
    for (const file of src) {
      const folder = file.slice(0, file.lastIndexOf("/"))
      counts.set(folder, (counts.get(folder) ?? 0) + 1)
    }
    expect([...counts].filter(([, files]) => files > 25)).toEqual([])
  })
})

describe.each([
  ["src", src],
  ["simulators", simulators]
])("in %s,", (_, files) => {
  const own = edgesAmong(files)

  it("no file imports itself by way of others", () => {
    expect(list(circles(own))).toEqual([])
  })

  it.each(foldersOf(files))("the parts of %s import each other in one direction", (folder) => {
    expect(list(circles(wingEdges(own, folder)))).toEqual([])
  })

  it("no folder imports itself by way of others", () => {
    const folder = (file: string) => file.slice(0, file.lastIndexOf("/"))
    const between = own.map(([from, to]): Edge => [folder(from), folder(to)]).filter(([from, to]) => from !== to)
    expect(list(circles(between))).toEqual([])
  })
})

describe("the search for import circles", () => {
  it("finds no circle in a graph whose edges all lead to a higher number", () => {
    const upward = fc.array(fc.tuple(fc.nat(20), fc.nat(20)).filter(([from, to]) => from < to))
    fc.assert(
      fc.property(upward, (pairs) => {
        expect(circles(pairs.map(([from, to]): Edge => [String(from), String(to)]))).toEqual([])
      })
    )
  })

  it("finds a ring of any length among any other edges", () => {
    const other = fc.array(fc.tuple(fc.nat(20), fc.nat(20)).filter(([from, to]) => from < to))
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 12 }), other, (length, pairs) => {
        const ring = Array.from({ length }, (_, at): Edge => [`ring ${at}`, `ring ${(at + 1) % length}`])
        const found = circles([...pairs.map(([from, to]): Edge => [String(from), String(to)]), ...ring])
        expect(found).toEqual([Array.from({ length }, (_, at) => `ring ${at}`).toSorted()])
      })
    )
  })
})
