/** Rows of files that come in pieces of any size. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import fc from "fast-check"
import { csvCell } from "../../../src/domain/imports/ImportReport.ts"
import { type RawRow, RowFiles, type RowFormat } from "../../../src/domain/imports/RowFile.ts"
import * as StreamedRows from "../../../src/integrations/imports/StreamedRows.ts"

/** The file in pieces of so many bytes; `size` 0: in one. */
const piecesOf = (bytes: Uint8Array, size: number) =>
  Array.from({ length: size === 0 ? 1 : Math.ceil(bytes.length / size) }, (_, at) =>
    size === 0 ? bytes : bytes.subarray(at * size, (at + 1) * size)
  )

const read = (file: string | Uint8Array, format: RowFormat, size = 0): Effect.Effect<ReadonlyArray<RawRow>, unknown> =>
  Effect.gen(function* () {
    const bytes = typeof file === "string" ? new TextEncoder().encode(file) : file
    const parts = yield* Stream.runCollect((yield* RowFiles).read(Stream.fromIterable(piecesOf(bytes, size)), format))
    return [...parts].flat()
  }).pipe(Effect.provide(StreamedRows.layer))

const csv = { kind: "csv" } as const

/** Texts that a cell can have: anything but NUL, broken characters, and what only CSV would end a row at. */
const cell = fc.string({ unit: "binary", maxLength: 12 }).filter((text) => !/[\0\p{Cs}]/u.test(text))
const filled = cell.filter((text) => text.trim() !== "")

describe("rows of CSV", () => {
  it("are what was written, in whatever pieces they come", async () => {
    const table = fc.array(fc.tuple(filled, cell, cell), { maxLength: 8 })
    const size = fc.integer({ min: 1, max: 40 })
    await fc.assert(
      fc.asyncProperty(table, size, fc.constantFrom("\n", "\r\n"), async (table, size, end) => {
        const lines = [["a", "b", "c"], ...table].map((row) => row.map(csvCell).join(",") + end)
        const rows = await Effect.runPromise(read(lines.join(""), csv, size))
        assert.deepStrictEqual(
          rows.map(({ values }) => [...values]),
          table.map((row) => [...row])
        )
        assert.deepStrictEqual(
          rows.map(({ number }) => number),
          table.map((_, at) => at + 2)
        )
      })
    )
  })

  it.effect("have commas, semicolons or tabs between their cells, and any ends of lines", () =>
    Effect.gen(function* () {
      for (const file of [
        'phone,name\r\n+1,"Rao, Asha"\r\n',
        'phone;name\n+1;"Rao, Asha"',
        "phone\tname\r+1\tRao, Asha\r",
        '"phone, mobile";name\n+1;Rao, Asha\n'
      ]) {
        const [row] = yield* read(file, csv, 3)
        assert.deepStrictEqual(row.values, ["+1", "Rao, Asha"], file)
      }
    })
  )

  it.effect("may be UTF-8 with or without its mark, UTF-16 with its mark, or what their sender says", () =>
    Effect.gen(function* () {
      const text = "phone,name\n+1,José 📚\n"
      const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")])
      for (const file of [text, `\uFEFF${text}`, utf16, Buffer.from(utf16).swap16()])
        for (const size of [0, 1, 3]) {
          const [row] = yield* read(file, csv, size)
          assert.deepStrictEqual(
            [row.columns, row.values],
            [
              ["phone", "name"],
              ["+1", "José 📚"]
            ]
          )
        }
      const latin1 = Buffer.from("phone,name\n+1,José\n", "latin1")
      const [row] = yield* read(latin1, { kind: "csv", charset: "iso-8859-1" }, 1)
      assert.deepStrictEqual(row.values, ["+1", "José"])
    })
  )

  it.effect("may be shorter than the first, but not longer; stray quotation marks stay", () =>
    Effect.gen(function* () {
      const rows = yield* read('phone,name,size\n+1\n+2,5" pipe,,\n+3,a,b,c\n', csv)
      assert.deepStrictEqual(
        rows.map(({ values }) => values),
        [
          ["+1", "", ""],
          ["+2", '5" pipe', ""],
          ["+3", "a", "b"]
        ]
      )
      assert.deepStrictEqual(
        rows.map(({ problem }) => problem !== undefined),
        [false, false, true]
      )
    })
  )

  it.effect("keep their numbers when empty ones are left out", () =>
    Effect.map(read("\nphone\n\n+1\n , \n+2\n", csv), (rows) =>
      assert.deepStrictEqual(
        rows.map(({ number, values: [phone] }) => [number, phone]),
        [
          [4, "+1"],
          [6, "+2"]
        ]
      )
    )
  )
})

const person = fc.record(
  {
    phone: filled,
    name: fc.option(cell),
    tags: fc.array(cell, { maxLength: 3 }),
    size: fc.integer(),
    on: fc.boolean()
  },
  { requiredKeys: ["phone"] }
)

describe("rows of JSON", () => {
  it("are the same from a list and from lines, in whatever pieces they come", async () => {
    const people = fc.array(person, { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(people, fc.integer({ min: 1, max: 40 }), async (people, size) => {
        const text = people.map((one) => `${JSON.stringify(one)}\n`).join("")
        const list = await Effect.runPromise(read(JSON.stringify(people), { kind: "json" }, size))
        const lines = await Effect.runPromise(read(text, { kind: "ndjson" }, size))
        assert.deepStrictEqual(list, lines)
        assert.lengthOf(list, people.length)
        for (const [at, { columns, values }] of list.entries()) {
          const said = Object.fromEntries(columns.map((name, place) => [name, values[place] ?? ""]))
          const { phone, name, tags, size: inches, on } = people[at]
          assert.deepInclude(said, { phone, ...(name === undefined ? {} : { name: name ?? "" }) })
          if (tags !== undefined) assert.strictEqual(said.tags, JSON.stringify(tags))
          if (inches !== undefined) assert.strictEqual(said.size, String(inches))
          if (on !== undefined) assert.strictEqual(said.on, String(on))
        }
      })
    )
  })

  it.effect("with names of JavaScript's own are rows like others", () =>
    Effect.gen(function* () {
      const rows = yield* read('[{"__proto__": "x", "constructor": "y", "phone": "+1"}]', { kind: "json" })
      const { columns, values } = rows[0]
      assert.strictEqual(values[columns.indexOf("phone")], "+1")
      assert.strictEqual(values[columns.indexOf("constructor")], "y")
    })
  )
})
