/** A file of rows that spreadsheets read. */

/** A text that begins like a formula would be one in a spreadsheet. */
const cell = (value: string | number | null): string => {
  const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value ?? "")
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export type Rows = ReadonlyArray<ReadonlyArray<string | number | null>>

export const csvOf = (rows: Rows): string => `${rows.map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`
