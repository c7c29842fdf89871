import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { chunksOf } from "../../../src/domain/ai/knowledge/Chunks.ts"
import { DocumentReader } from "../../../src/domain/ai/knowledge/Documents.ts"
import * as DocumentReaderThread from "../../../src/integrations/documents/DocumentReaderThread.ts"
import { docx, pdf } from "../../support/documents.ts"

const read = (
  content: string | Uint8Array,
  filename: string,
  options: DocumentReaderThread.DocumentReaderOptions = {}
) =>
  DocumentReader.use((reader) => reader.read(Buffer.from(content), { filename })).pipe(
    Effect.provide(DocumentReaderThread.layer(options))
  )
const problem = (content: string | Uint8Array, filename: string, options = {}) =>
  Effect.map(Effect.flip(read(content, filename, options)), ({ message }) => message)

const returns = [
  { headings: ["Returns"], text: "You have 30 days." },
  { headings: ["Returns", "Damaged books"], text: "We send a new one." }
]

describe("a document", () => {
  it.live("of each format is read with its headings", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        (yield* read("# Returns\n\nYou have 30 days.\n\n## Damaged books\n\nWe send a new one.", "a.md")).blocks,
        returns
      )
      const page =
        "<html><head><title>Help</title><script>x()</script></head><body><nav>Menu</nav><h1>Returns</h1><p>You have <b>30</b> days.</p><h2>Damaged books</h2><div>We send a new one.</div><footer>©</footer></body></html>"
      assert.deepStrictEqual(yield* read(page, "a.html"), { title: "Help", blocks: returns })
      const office = yield* Effect.promise(() => docx(["# Returns", "You have 30 days."]))
      assert.deepStrictEqual((yield* read(office, "a.docx")).blocks, [returns[0]])
      const printed = pdf([["# Returns", "You have 30", "days."], ["Still the same."]])
      assert.deepStrictEqual((yield* read(printed, "a.pdf")).blocks, [
        { headings: ["Returns"], text: "You have 30 days." },
        { headings: ["Returns"], text: "Still the same." }
      ])
      assert.deepStrictEqual(
        (yield* read("First.\n\nSecond\nline.", "a.txt")).blocks.map(({ text }) => text),
        ["First.", "Second\nline."]
      )
      assert.deepStrictEqual(
        (yield* read("Title;Price\nUlysses;12\n;7\n", "a.csv")).blocks.map(({ text }) => text),
        ["Title: Ulysses; Price: 12", "Price: 7"]
      )
      const table =
        "<table><tr><th>Size</th><th>Price</th></tr><tr><td>A4</td><td>3 $</td></tr></table><ul><li>One<li>Two</ul>"
      assert.deepStrictEqual(
        (yield* read(table, "a.htm")).blocks.map(({ text }) => text),
        ["Size: A4; Price: 3 $", "One", "Two"]
      )
    })
  )

  it.live("is read in the encoding that it has", () =>
    Effect.gen(function* () {
      const text = "Öffnungszeiten: täglich"
      const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")])
      for (const bytes of [Buffer.from(text), Buffer.from(`\uFEFF${text}`), utf16, Buffer.from(text, "latin1")])
        assert.strictEqual((yield* read(bytes, "a.txt")).blocks[0].text, text)
      const page = Buffer.from('<meta charset="iso-8859-2"><p>Zam\xf3w</p>', "latin1")
      assert.strictEqual((yield* read(page, "a.html")).blocks[0].text, "Zamów")
    })
  )

  it.live("that cannot be read says why", () =>
    Effect.gen(function* () {
      assert.match(yield* problem("", "a.txt"), /is empty/)
      assert.match(yield* problem(pdf([["x"]], true), "a.pdf"), /protected by a password/)
      assert.match(yield* problem("%PDF-1.7\nnothing of the kind", "a.pdf"), /damaged/)
      assert.match(yield* problem("no pdf", "a.pdf"), /named \.pdf, but/)
      assert.match(yield* problem("PK\u0003\u0004 torn", "a.docx"), /ZIP/)
      assert.match(yield* problem(Buffer.from("d0cf11e0a1b11ae1", "hex"), "a.doc"), /old Office format/)
      assert.match(yield* problem(Buffer.from([0, 1, 2, 0, 255]), "a.txt"), /UTF-8/)
      const bomb = yield* Effect.promise(() => docx(["x"], { "word/media/a.bin": Buffer.alloc(80 * 1024 * 1024) }))
      assert.isBelow(bomb.byteLength, 1024 * 1024)
      assert.match(yield* problem(bomb, "a.docx"), /unpacks to too much/)
    })
  )

  it.live("that takes too long or too much memory is given up, and the next one is read", () =>
    Effect.gen(function* () {
      const rows = `a,b\n${"x,y\n".repeat(20_000)}`
      assert.match(yield* problem(rows, "a.csv", { timeoutMs: 1 }), /took longer than/)
      const deep = `${"<div><p>x".repeat(300_000)}`
      const reader = yield* DocumentReader.use(Effect.succeed).pipe(
        Effect.provide(DocumentReaderThread.layer({ memoryMb: 24 }))
      )
      const { message } = yield* Effect.flip(reader.read(Buffer.from(deep), { filename: "a.html" }))
      assert.match(message, /too much memory/)
      assert.lengthOf((yield* reader.read(Buffer.from("fine"), { filename: "a.txt" })).blocks, 1)
    })
  )

  it.live("of 500 pages is read whole", () =>
    Effect.gen(function* () {
      const pages = Array.from({ length: 500 }, (_, page) =>
        Array.from({ length: 40 }, (_, line) => `Page ${page} line ${line} speaks of paper, glue and thread.`)
      )
      const { blocks } = yield* read(pdf(pages), "a.pdf")
      const chunks = chunksOf(blocks)
      assert.isAbove(chunks.length, 500)
      assert.include(blocks.at(-1)?.text, "Page 499 line 39")
    })
  )
})
