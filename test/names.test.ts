/** A name has one meaning in a room, and a file has the name of its export. */
import { readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { describe, expect, it } from "vitest"
import { root, sources } from "./support/imports.ts"

const rooms = ["src/audio", "src/domain", "src/actors", "src/integrations", "src/http"]

interface Exported {
  readonly file: string
  readonly kind: string
  readonly name: string
  readonly isError: boolean
}

const exportPattern = /^export (?:abstract |async )?(const|class|function\*?|interface|type|enum) (\w+)(.*)$/gm

const exportsOf = (file: string): ReadonlyArray<Exported> =>
  [...readFileSync(join(root, file), "utf8").matchAll(exportPattern)].map(([, kind, name, rest]) => ({
    file,
    kind,
    name,
    isError: /TaggedError|extends Error\b/.test(rest)
  }))

/** A file that exports one of these is imported whole, `import * as Vad from "./Vad.ts"`, and its exports are read with its name: `Vad.make`. */
const isReadWithItsFile = (name: string) => name === "make" || name.startsWith("layer")

const nameOf = (file: string) => basename(file, ".ts")

/** Other files have other names: those of REST routes and handlers the name of a part of the interface, e.g. `calls.ts`; whole imports their own. */
const isNamedAfterItsExport = (file: string) =>
  /^[A-Z]/.test(nameOf(file)) && !exportsOf(file).some(({ name }) => isReadWithItsFile(name))

describe("a name", () => {
  it.each(rooms)("is exported by one file only of %s", (room) => {
    const files = new Map<string, Set<string>>()
    for (const { name, file } of sources(room).flatMap(exportsOf))
      if (!isReadWithItsFile(name)) files.set(name, (files.get(name) ?? new Set()).add(file))
    expect(
      [...files].filter(([, where]) => where.size > 1).map(([name, where]) => `${name}: ${[...where].join(", ")}`)
    ).toEqual([])
  })

  it("is the same for a file that is imported whole and for its namespace", () => {
    const namespacePattern = /^import (?:type )?\* as (\w+) from "(\.[^"]+)"/gm
    const others = sources("src").flatMap((file) =>
      [...readFileSync(join(root, file), "utf8").matchAll(namespacePattern)]
        .filter(([, name, from]) => nameOf(from) !== name)
        .map(([, name, from]) => `${file} calls ${from} ${name}`)
    )
    expect(others).toEqual([])
  })

  it("is the same for a file and for the only class or maker that it exports, where a store may be called in the plural", () => {
    const others = rooms
      .flatMap((room) => sources(room))
      .filter(isNamedAfterItsExport)
      .flatMap((file) => {
        const things = exportsOf(file).filter(
          ({ kind, isError }) => kind !== "interface" && kind !== "type" && !isError
        )
        const [{ kind, name } = { kind: "", name: "" }] = things
        if (things.length !== 1 || !(kind === "class" || /^make[A-Z]/.test(name))) return []
        const wanted = nameOf(file)
        const fits = [wanted, `${wanted}s`, `make${wanted}`, wanted.replace(/^Make/, "make")].includes(name)
        return fits ? [] : [`${file} exports ${name}`]
      })
    expect(others).toEqual([])
  })
})
