/** Rows of CSV: the first has the names of the columns. Commas, semicolons or tabs are between the cells, whichever the first row has most of. */
import { setImmediate } from "node:timers/promises"
import { CsvError, type Parser, parse } from "csv-parse"
import { ImportRefused, longestRow } from "../../domain/imports/Import.ts"
import { reportColumns, unguarded } from "../../domain/imports/ImportReport.ts"
import type { RawRow } from "../../domain/imports/RowFile.ts"

const refused = (message: string) => new ImportRefused({ message })

const delimiters = [",", ";", "\t"] as const

/** The text up to the end of the first row that is not empty; `undefined` when it is not all there. */
const firstRow = (text: string): string | undefined => {
  let inQuotes = false
  let begun = false
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === '"') inQuotes = !inQuotes
    const ends = !inQuotes && (sign === "\n" || sign === "\r")
    if (ends && begun) return text.slice(0, at)
    begun ||= !ends
  }
  return undefined
}

const delimiterOf = (row: string): string => {
  const bare = row.replace(/"(?:[^"]|"")*"/g, "")
  const counts = delimiters.map((delimiter) => bare.split(delimiter).length)
  return delimiters[counts.indexOf(Math.max(...counts))]
}

const sentences: Partial<Record<string, string>> = {
  CSV_MAX_RECORD_SIZE: `is longer than ${longestRow} characters. Perhaps a quotation mark is not closed`,
  CSV_QUOTE_NOT_CLOSED: "has a quotation mark that is not closed",
  CSV_INVALID_CLOSING_QUOTE: "has a quotation mark inside of a quoted cell: write it twice",
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: "has something after the closing quotation mark of a cell"
}

const isBlank = (cells: ReadonlyArray<string>) => cells.every((cell) => cell.trim() === "")

/** The columns of the report of an import are for people. */
const forPeople = new Set<string>(reportColumns)

export class CsvRows {
  #waiting = ""
  #parser: Parser | undefined
  #failure: unknown
  #columns: ReadonlyArray<string> | undefined
  /** Which cells of a row are read. */
  #kept: ReadonlyArray<number> = []
  #number = 0

  /** The rows that end in this text. Rejects with ImportRefused. */
  async write(text: string): Promise<ReadonlyArray<RawRow>> {
    if (this.#parser !== undefined) return this.#parsed(this.#parser, text)
    this.#waiting += text
    const first = firstRow(this.#waiting)
    if (first === undefined && this.#waiting.length <= longestRow) return []
    return this.#begin(first ?? this.#waiting)
  }

  async end(): Promise<ReadonlyArray<RawRow>> {
    const rows = this.#parser === undefined ? [...(await this.#begin(this.#waiting))] : []
    const parser = this.#parser
    if (parser === undefined) return rows
    parser.end()
    rows.push(...(await this.#parsed(parser, "")))
    if (this.#columns === undefined) throw refused("The file is empty.")
    return rows
  }

  #begin(first: string): Promise<ReadonlyArray<RawRow>> {
    this.#parser = parse({
      delimiter: delimiterOf(first),
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_column_count: true,
      relax_quotes: true,
      max_record_size: longestRow
    })
    this.#parser.on("error", (error) => {
      this.#failure = error
    })
    const text = this.#waiting
    this.#waiting = ""
    return this.#parsed(this.#parser, text)
  }

  async #parsed(parser: Parser, text: string): Promise<ReadonlyArray<RawRow>> {
    if (text !== "") parser.write(text)
    const rows: Array<RawRow> = []
    // Other work has its turn; and the parser tells of errors only then.
    await setImmediate()
    for (let cells: ReadonlyArray<string> | null = parser.read(); cells !== null; cells = parser.read()) {
      this.#number++
      const row = this.#row(cells)
      if (row !== undefined) rows.push(row)
    }
    if (this.#failure !== undefined) throw this.#refusal(this.#failure)
    return rows
  }

  #row(cells: ReadonlyArray<string>): RawRow | undefined {
    if (isBlank(cells)) return undefined
    if (this.#columns === undefined) {
      const names = cells.map((cell) => unguarded(cell.trim()))
      this.#kept = names.flatMap((name, at) => (forPeople.has(name.toLowerCase()) ? [] : [at]))
      this.#columns = this.#kept.map((at) => names[at])
      return undefined
    }
    const values = this.#kept.map((at) => unguarded(cells[at] ?? ""))
    const row = { number: this.#number, columns: this.#columns, values }
    const most = this.#kept.length === 0 ? 0 : this.#kept[this.#kept.length - 1] + 1
    const beyond = cells.slice(most).filter((cell) => cell.trim() !== "").length
    return beyond === 0
      ? row
      : {
          ...row,
          problem: `The row has ${cells.length} cells, but the first row has ${most}. Perhaps a cell has a separator and no quotation marks.`
        }
  }

  #refusal(failure: unknown): unknown {
    if (!(failure instanceof CsvError)) return failure
    const sentence = sentences[failure.code] ?? "cannot be read as CSV"
    return refused(`Row ${this.#number + 1} ${sentence}.`)
  }
}
