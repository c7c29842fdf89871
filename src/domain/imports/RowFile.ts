/** Port that reads rows out of a file of CSV or JSON while the file is still coming. */
import { Context, type Stream } from "effect"
import type { ImportRefused } from "./Import.ts"

export interface RowFormat {
  readonly kind: "csv" | "json" | "ndjson"
  /** The character set that the sender names, in lower case. */
  readonly charset?: string
}

/** A row of the file as texts. */
export interface RawRow {
  /** As a spreadsheet counts: the header of CSV is row 1. In JSON the first record is 1. */
  readonly number: number
  /** The names of the columns so far. It is the same array until there are more. */
  readonly columns: ReadonlyArray<string>
  /** In the order of the columns; a row may have fewer. */
  readonly values: ReadonlyArray<string>
  /** A sentence, when the row cannot be read. */
  readonly problem?: string
}

export class RowFiles extends Context.Service<
  RowFiles,
  {
    /** The rows, in parts as they come, without empty ones. Fails with ImportRefused when the file cannot be read on. */
    readonly read: <E>(
      bytes: Stream.Stream<Uint8Array, E>,
      format: RowFormat
    ) => Stream.Stream<ReadonlyArray<RawRow>, E | ImportRefused>
  }
>()("parley/domain/RowFiles") {}
