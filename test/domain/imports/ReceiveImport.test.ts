/** Taking a file: how it is stored, and what happens when it cannot be read to its end. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { exampleOf } from "../../../src/domain/basics/Examples.ts"
import { contactFields, readContactRow } from "../../../src/domain/imports/ContactRow.ts"
import { Import, mostRows } from "../../../src/domain/imports/Import.ts"
import { Imports, type StagedRow } from "../../../src/domain/imports/Imports.ts"
import { makeReceiveImport } from "../../../src/domain/imports/ReceiveImport.ts"
import { RowFiles } from "../../../src/domain/imports/RowFile.ts"
import { Audit } from "../../../src/domain/people/access/Audit.ts"

const given = {
  kind: "contacts",
  dryRun: false,
  onDuplicate: "skip",
  tags: [],
  fileName: null,
  actor: { type: "key", id: "key_1" },
  requestedBy: "key_1"
} as const

/** Receives a file with so many rows; `kept`: whether the import is still there when rows are stored. */
const receiving = (rows: number, kept = true) =>
  Effect.gen(function* () {
    const staged: Array<ReadonlyArray<StagedRow>> = []
    const removed: Array<string> = []
    const record = exampleOf(Import)
    const columns = ["phone"]
    const parts = Array.from({ length: Math.ceil(rows / 1_000) }, (_, part) =>
      Array.from({ length: Math.min(1_000, rows - part * 1_000) }, (_, at) => ({
        number: part * 1_000 + at + 2,
        columns,
        values: ["+14155550123"]
      }))
    )
    const services = Layer.mergeAll(
      Layer.mock(Imports, {
        begin: () => Effect.succeed(record),
        stage: (_organizationId, _id, some) =>
          Effect.sync(() => {
            staged.push(some)
            return kept
          }),
        start: () => Effect.succeed(record),
        remove: (_organizationId, id) => Effect.sync(() => void removed.push(id))
      }),
      Layer.succeed(RowFiles, { read: () => Stream.fromIterable(parts) }),
      Layer.mock(Audit, { recorded: (_organizationId, change) => change })
    )
    const reading = {
      fields: contactFields,
      read: (map: Parameters<typeof readContactRow>[0], values: ReadonlyArray<string>) =>
        readContactRow(map, values, { tags: [] })
    }
    const file = { bytes: Stream.empty, format: { kind: "csv" }, columns: {} } as const
    const receive = yield* makeReceiveImport.pipe(Effect.provide(services))
    const outcome = yield* receive("org_1", given, reading, file).pipe(
      Effect.map(() => "taken"),
      Effect.catch((error) => Effect.succeed("message" in error ? error.message : ""))
    )
    return { outcome, staged, removed: removed.length }
  })

describe("a file that is imported", () => {
  it.effect("is stored some hundred rows at a time, up to 100,000", () =>
    Effect.gen(function* () {
      const { outcome, staged, removed } = yield* receiving(mostRows)
      assert.deepStrictEqual([outcome, removed], ["taken", 0])
      assert.strictEqual(staged.flat().length, mostRows)
      assert.isAtMost(Math.max(...staged.map(({ length }) => length)), 500)
    })
  )

  it.effect("of more rows is refused, and nothing of it stays", () =>
    Effect.gen(function* () {
      const { outcome, removed } = yield* receiving(mostRows + 1)
      assert.deepStrictEqual([outcome, removed], ["The file has more than 100000 rows. Send it in parts.", 1])
    })
  )

  it.effect("ends with a sentence when the import was canceled meanwhile", () =>
    Effect.gen(function* () {
      const { outcome, removed } = yield* receiving(1, false)
      assert.deepStrictEqual(
        [outcome, removed],
        ["The import was canceled, or its file took too long to arrive. Send the file again.", 1]
      )
    })
  )
})
