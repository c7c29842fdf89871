/** A table for a terminal and for Markdown: the first column is text, the others are figures. */

export interface Table {
  readonly title: string
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string | number>>
}

/** Digits a reader can use: none from 100 on, one below. Nothing measured is a dash. */
const show = (cell: string | number): string => {
  if (typeof cell === "string") return cell
  if (Number.isNaN(cell)) return "–"
  return Number.isInteger(cell) || Math.abs(cell) >= 100 ? String(Math.round(cell)) : cell.toFixed(1)
}

export const cellsOf = ({ columns, rows }: Table): ReadonlyArray<ReadonlyArray<string>> => [
  columns,
  ...rows.map((row) => row.map(show))
]

/** Aligned by spaces under its title. */
export const tableText = (table: Table): string => {
  const cells = cellsOf(table)
  const widths = table.columns.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? "").length)))
  const line = (row: ReadonlyArray<string>) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join("  ")
  return [table.title, ...cells.map((row) => `  ${line(row)}`)].join("\n")
}

/** As a table of Markdown, without the title. */
export const tableMarkdown = (table: Table): string => {
  const [head, ...rows] = cellsOf(table)
  const line = (row: ReadonlyArray<string>) => `| ${row.join(" | ")} |`
  return [line(head), `|---|${"---:|".repeat(head.length - 1)}`, ...rows.map(line)].join("\n")
}
