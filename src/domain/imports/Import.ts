/**
 * Imports: a file of many records, taken as a whole and worked off in the background. This file is about imports of any kind; what a row of a kind
 * means, and what is done with it, is a file of its own (`ContactRow`, `ApplyContactRows`).
 */
import { Schema } from "effect"
import { exampleIds } from "../basics/Examples.ts"

/** The most rows of a file, apart from the header. */
export const mostRows = 100_000
/** The most bytes of a file. */
export const mostImportBytes = 32 * 1024 * 1024
/** The most columns of a file. */
export const mostColumns = 100
/** The most characters of a row. */
export const longestRow = 64 * 1024
/** An organization has at most so many imports that are not finished. */
export const mostUnfinished = 5
/** A finished import and its refused rows are removed after this time. */
export const importLifetimeMs = 7 * 86_400_000
/** A file that has brought no row for so long is given up. Longer than any upload may take. */
export const silenceMs = 35 * 60_000
/** An import has failed after so many attempts to go on. */
export const mostImportAttempts = 8

/** The kinds of records that can be imported. */
export const ImportKind = Schema.Literals(["contacts", "companies", "products", "orders", "suppliers"])
export type ImportKind = typeof ImportKind.Type

/** What is done with a row whose record exists already. */
export const OnDuplicate = Schema.Literals(["skip", "update"])
export type OnDuplicate = typeof OnDuplicate.Type

/** A column of the file, and the field that it is read as; null: the column is not read. */
export const ImportColumn = Schema.Struct({ column: Schema.String, field: Schema.NullOr(Schema.String) })
export type ImportColumn = typeof ImportColumn.Type

const counts = {
  /** Rows of the file, apart from the header and empty lines. */
  rows: Schema.Int,
  created: Schema.Int,
  updated: Schema.Int,
  /** Rows that changed nothing. */
  skipped: Schema.Int,
  refused: Schema.Int
}

export const Import = Schema.Struct({
  id: Schema.String,
  kind: ImportKind,
  /** `receiving`: the file is still coming. */
  status: Schema.Literals(["receiving", "running", "completed", "canceled", "failed"]),
  /** Nothing is stored: the counts say what would be. */
  dryRun: Schema.Boolean,
  onDuplicate: OnDuplicate,
  /** Tags that every record gets. */
  tags: Schema.Array(Schema.String),
  fileName: Schema.NullOr(Schema.String),
  columns: Schema.Array(ImportColumn),
  ...counts,
  /** The API key or person who asked for it. */
  requestedBy: Schema.String,
  /** The sentence that says why it failed. */
  error: Schema.NullOr(Schema.String),
  createdAt: Schema.String,
  finishedAt: Schema.NullOr(Schema.String),
  /** When this record and its refused rows are removed; null while it is running. */
  expiresAt: Schema.NullOr(Schema.String)
}).annotate({
  title: "Import",
  examples: [
    {
      id: exampleIds.import,
      kind: "contacts",
      status: "completed",
      dryRun: false,
      onDuplicate: "skip",
      tags: ["spring fair"],
      fileName: "visitors.csv",
      columns: [
        { column: "Full name", field: "name" },
        { column: "Mobile", field: "phone" },
        { column: "Stand", field: null }
      ],
      rows: 2_480,
      created: 2_391,
      updated: 0,
      skipped: 72,
      refused: 17,
      requestedBy: exampleIds.key,
      error: null,
      createdAt: "2026-11-25T10:00:00.000Z",
      finishedAt: "2026-11-25T10:00:04.000Z",
      expiresAt: "2026-12-02T10:00:04.000Z"
    }
  ]
})
export type Import = typeof Import.Type

/** A row that was not taken. */
export const RefusedRow = Schema.Struct({
  /** The number of the row, as a spreadsheet shows it: the header is row 1. In JSON the first record is 1. */
  row: Schema.Int,
  /** The field that is wrong; null when it is the whole row. */
  field: Schema.NullOr(Schema.String),
  problem: Schema.String,
  /** What the file says, in the order of its columns. */
  values: Schema.Array(Schema.String)
}).annotate({
  title: "RefusedRow",
  examples: [
    {
      row: 17,
      field: "phone",
      problem: "phone must be a phone number with its country code, like +14155550123.",
      values: ["Asha Rao", "98765", "B4"]
    }
  ]
})
export type RefusedRow = typeof RefusedRow.Type

/** The file cannot be imported, or not from here on. The message is a sentence for people. */
export class ImportRefused extends Schema.TaggedError<ImportRefused>()("ImportRefused", { message: Schema.String }) {}

/** 409: the organization has `limit` imports that are not finished. */
export class TooManyImports extends Schema.TaggedError<TooManyImports>()("TooManyImports", { limit: Schema.Int }) {}
