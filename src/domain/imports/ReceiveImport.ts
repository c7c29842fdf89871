/**
 * Use case: take a file of records. It is read while it comes, a few hundred rows at a time, and its rows are stored to wait for the worker. A file
 * that cannot be read to its end leaves nothing behind.
 */
import { Clock, Effect, Stream } from "effect"
import { storable } from "../basics/PlainText.ts"
import { traced } from "../basics/Traced.ts"
import { Audit } from "../people/access/Audit.ts"
import { type ColumnMap, type ImportField, mapColumns } from "./Columns.ts"
import { type Import, type ImportColumn, ImportRefused, longestRow, mostColumns, mostRows } from "./Import.ts"
import { Imports, type NewImport, type RowSubject, type StagedRow } from "./Imports.ts"
import { type RawRow, RowFiles, type RowFormat } from "./RowFile.ts"

/** How rows of a kind are read. */
export interface RowReading {
  readonly fields: ReadonlyArray<ImportField>
  /** The meaning of a row, as JSON, or why it is refused. */
  readonly read: (
    map: ColumnMap,
    values: ReadonlyArray<string>
  ) =>
    | { readonly _tag: "Read"; readonly input: object; readonly subject: RowSubject; readonly key?: string }
    | {
        readonly _tag: "Refused"
        readonly field: string | null
        readonly problem: string
        readonly subject: RowSubject
      }
}

export interface ImportFile<E> {
  readonly bytes: Stream.Stream<Uint8Array, E>
  readonly format: RowFormat
  /** The names of columns that the sender gives, by field. */
  readonly columns: Readonly<Record<string, string | undefined>>
}

const refused = (message: string) => new ImportRefused({ message })
const nobody: RowSubject = { phone: null, email: null }

/** Reads rows one after the other, and knows which columns are read as what. */
class Reader {
  readonly #reading: RowReading
  readonly #given: Readonly<Record<string, string | undefined>>
  readonly #complete: boolean
  #columns: ReadonlyArray<string> | undefined
  #map: ColumnMap = new Map()
  #rows = 0

  constructor(reading: RowReading, { format, columns }: Pick<ImportFile<never>, "format" | "columns">) {
    this.#reading = reading
    this.#given = columns
    this.#complete = format.kind === "csv"
  }

  /** Gives the rows to be stored, or why the file is refused. */
  take(rows: ReadonlyArray<RawRow>): ReadonlyArray<StagedRow> | ImportRefused {
    this.#rows += rows.length
    if (this.#rows > mostRows) return refused(`The file has more than ${mostRows} rows. Send it in parts.`)
    const staged: Array<StagedRow> = []
    for (const row of rows) {
      const problem = this.#learn(row.columns)
      if (problem !== undefined) return problem
      staged.push(this.#staged(row))
    }
    return staged
  }

  #learn(columns: ReadonlyArray<string>): ImportRefused | undefined {
    if (columns === this.#columns) return undefined
    if (columns.length > mostColumns) return refused(`The file has more than ${mostColumns} columns.`)
    const map = mapColumns(this.#reading.fields, columns, this.#given, this.#complete)
    if (map instanceof ImportRefused) return map
    this.#columns = columns
    this.#map = map
    return undefined
  }

  #staged({ number, values: given, problem }: RawRow): StagedRow {
    const values = given.map(storable)
    const base = { number, values, input: null, field: null }
    if (problem !== undefined) return { ...base, subject: nobody, problem }
    if (values.reduce((sum, value) => sum + value.length, 0) > longestRow)
      return { ...base, values: [], subject: nobody, problem: `The row has more than ${longestRow} characters.` }
    const found = this.#reading.read(this.#map, given)
    return found._tag === "Read"
      ? {
          ...base,
          subject: found.subject,
          ...(found.key === undefined ? {} : { key: found.key }),
          input: { ...found.input },
          problem: null
        }
      : { ...base, subject: found.subject, field: found.field, problem: found.problem }
  }

  /** Which column was read as what, at the end. */
  get columns(): ReadonlyArray<ImportColumn> {
    const fields = new Map([...this.#map].map(([field, at]) => [at, field]))
    return (this.#columns ?? []).map((column, at) => ({ column: storable(column), field: fields.get(at) ?? null }))
  }

  get isEmpty(): boolean {
    return this.#rows === 0
  }
}

/** So many rows are stored at a time. */
const atOnce = 500

const gone = () => refused("The import was canceled, or its file took too long to arrive. Send the file again.")

/** Needs Imports, RowFiles and Audit once. The function it gives fails with TooManyImports, ImportRefused, and what the bytes fail with. */
export const makeReceiveImport = Effect.gen(function* () {
  const imports = yield* Imports
  const files = yield* RowFiles
  const audit = yield* Audit

  const stageAll = Effect.fnUntraced(function* <E>(
    organizationId: string,
    id: string,
    file: ImportFile<E>,
    reader: Reader
  ) {
    yield* files.read(file.bytes, file.format).pipe(
      Stream.mapEffect((rows): Effect.Effect<ReadonlyArray<StagedRow>, ImportRefused> => {
        const staged = reader.take(rows)
        return staged instanceof ImportRefused ? Effect.fail(staged) : Effect.succeed(staged)
      }),
      Stream.flattenIterable,
      Stream.grouped(atOnce),
      Stream.runForEach((rows) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => imports.stage(organizationId, id, rows, now)).pipe(
          Effect.filterOrFail((kept) => kept, gone),
          Effect.asVoid
        )
      )
    )
    if (reader.isEmpty) return yield* refused("The file has no rows.")
  })

  const start = (organizationId: string, id: string, reader: Reader) =>
    audit.recorded(
      organizationId,
      Effect.flatMap(Clock.currentTimeMillis, (now) => imports.start(organizationId, id, reader.columns, now)).pipe(
        Effect.flatMap((started) => (started === undefined ? Effect.fail(gone()) : Effect.succeed(started)))
      ),
      ({ kind, rows, dryRun, onDuplicate, tags }) => ({
        action: "import.started",
        subjectId: id,
        after: { kind, rows, dryRun, onDuplicate, tags }
      })
    )

  return traced("ReceiveImport.receive")(function* <E>(
    organizationId: string,
    given: NewImport,
    reading: RowReading,
    file: ImportFile<E>
  ) {
    const reader = new Reader(reading, file)
    const { id } = yield* imports.begin(organizationId, given, yield* Clock.currentTimeMillis)
    const received: Effect.Effect<Import, E | ImportRefused> = Effect.andThen(
      stageAll(organizationId, id, file, reader),
      start(organizationId, id, reader)
    )
    return yield* Effect.onError(received, () => imports.remove(organizationId, id))
  })
})
