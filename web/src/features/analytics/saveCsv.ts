import { csvOf, type Rows } from "./csv.ts"

/** Lets the person keep the rows as a file. */
export const saveCsv = (name: string, rows: Rows): void => {
  const url = URL.createObjectURL(new Blob([csvOf(rows)], { type: "text/csv;charset=utf-8" }))
  const link = document.createElement("a")
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
