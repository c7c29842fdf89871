/** Reads rows out of files while they come. In memory are one piece of the file and the rows that end in it. */
import { Effect, Layer, Stream } from "effect"
import { ImportRefused } from "../../domain/imports/Import.ts"
import { type RawRow, RowFiles, type RowFormat } from "../../domain/imports/RowFile.ts"
import { CsvRows } from "./CsvRows.ts"
import { JsonLineRows, JsonListRows } from "./JsonRows.ts"
import { TextDecoding } from "./TextDecoding.ts"

interface Parser {
  readonly write: (text: string) => Promise<ReadonlyArray<RawRow>>
  readonly end: () => Promise<ReadonlyArray<RawRow>>
}

const parsers: Readonly<Record<RowFormat["kind"], () => Parser>> = {
  csv: () => new CsvRows(),
  json: () => new JsonListRows(),
  ndjson: () => new JsonLineRows()
}

/** The most bytes that are read in one go: other work, such as the audio of calls, has its turn in between. */
const pieceBytes = 16 * 1024

const pieces = (bytes: Uint8Array): ReadonlyArray<Uint8Array> =>
  Array.from({ length: Math.ceil(bytes.byteLength / pieceBytes) }, (_, at) =>
    bytes.subarray(at * pieceBytes, (at + 1) * pieceBytes)
  )

/** What a parser throws is why the file is refused; anything else is a defect. */
const refusable = <A>(run: () => Promise<A>): Effect.Effect<A, ImportRefused> =>
  Effect.tryPromise({ try: run, catch: (cause) => cause }).pipe(
    Effect.catch((cause) => (cause instanceof ImportRefused ? Effect.fail(cause) : Effect.die(cause)))
  )

const read = <E>(
  bytes: Stream.Stream<Uint8Array, E>,
  { kind, charset }: RowFormat
): Stream.Stream<ReadonlyArray<RawRow>, E | ImportRefused> =>
  Stream.suspend(() => {
    const text = new TextDecoding(charset)
    const parser = parsers[kind]()
    const none = new Uint8Array(0)
    const rows = Stream.mapEffect(
      Stream.flatMap(bytes, (chunk) => Stream.fromIterable(pieces(chunk))),
      (piece) => refusable(async () => parser.write(text.decode(piece)))
    )
    const rest = Stream.fromEffect(
      refusable(async () => [...(await parser.write(text.decode(none, true))), ...(await parser.end())])
    )
    return Stream.concat(rows, rest)
  })

export const layer = Layer.succeed(RowFiles, { read })
