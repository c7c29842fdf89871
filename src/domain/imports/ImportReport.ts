/**
 * The report of the refused rows as CSV: why each was refused, and its original values, so that the file can be corrected and sent again. No cell is
 * a formula for a spreadsheet: an apostrophe before it says that it is text. Who reads such a file takes the apostrophe away again.
 */
import type { ImportColumn, RefusedRow } from "./Import.ts"

/** A spreadsheet runs what begins like this. Apostrophes that are there already are counted, so that taking one away gives the original. */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/

/** Whether an apostrophe was put before a text because it would be a formula. */
const guarded = /^'+[=+\-@\t\r\n＝＋－＠]/

/** The text of a cell without the apostrophe that `csvCell`, or a spreadsheet, has put before it. */
export const unguarded = (text: string): string => (guarded.test(text) ? text.slice(1) : text)

/** One cell of CSV. */
export const csvCell = (text: string): string => {
  const safe = formula.test(text) ? `'${text}` : text
  return /[",;\r\n\t]|^ | $/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const line = (cells: ReadonlyArray<string>): string => `${cells.map(csvCell).join(",")}\r\n`

/** The columns of the report beside those of the file. An import does not read them. */
export const reportColumns = ["import row", "import field", "import problem"] as const

/** Begins with a byte order mark: spreadsheets know by it that the file is UTF-8. */
export const reportHead = (columns: ReadonlyArray<ImportColumn>): string =>
  `\uFEFF${line([...reportColumns, ...columns.map(({ column }) => column)])}`

export const reportLine = ({ row, field, problem, values }: RefusedRow, columns: ReadonlyArray<ImportColumn>): string =>
  line([String(row), field ?? "", problem, ...columns.map((_, at) => values[at] ?? "")])
