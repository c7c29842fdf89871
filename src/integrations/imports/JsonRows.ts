/** Rows of JSON: a list of objects, or an object on each line. */
import { setImmediate } from "node:timers/promises"
import { JSONParser } from "@streamparser/json"
import { isJsonObject, type JsonObject, parsedJson } from "../../domain/basics/Json.ts"
import { ImportRefused, longestRow, mostColumns } from "../../domain/imports/Import.ts"
import type { RawRow } from "../../domain/imports/RowFile.ts"

const refused = (message: string) => new ImportRefused({ message })

const isPlain = (value: unknown) => value === null || ["string", "number", "boolean"].includes(typeof value)

/** The text of a value as a cell has it; `undefined` when it is no value of one cell. */
const cellOf = (value: unknown): string | undefined => {
  if (value === null) return ""
  if (Array.isArray(value)) return value.every(isPlain) ? JSON.stringify(value) : undefined
  return isPlain(value) ? String(value) : undefined
}

/** Makes rows of objects. Each name that an object has is a column from then on. */
export class ObjectRows {
  #columns: ReadonlyArray<string> = []
  readonly #places = new Map<string, number>()
  #number = 0

  row(value: unknown): RawRow {
    this.#number++
    if (!isJsonObject(value))
      return this.#refused('The row must be an object with fields, like { "phone": "+14155550123" }.')
    this.#learn(value)
    const values = Array.from(this.#columns, () => "")
    for (const [name, inner] of Object.entries(value)) {
      const cell = cellOf(inner)
      if (cell === undefined)
        return {
          ...this.#refused(`${name.slice(0, 60)} must be a text, a number, true or false, or a list of those.`),
          values
        }
      values[this.#places.get(name) ?? 0] = cell
    }
    return { number: this.#number, columns: this.#columns, values }
  }

  /** A row that is no JSON at all. */
  broken(): RawRow {
    this.#number++
    return this.#refused("The line is not JSON.")
  }

  get number(): number {
    return this.#number
  }

  #learn(value: JsonObject): void {
    const fresh = Object.keys(value).filter((name) => !this.#places.has(name))
    if (fresh.length === 0) return
    for (const name of fresh) this.#places.set(name, this.#places.size)
    if (this.#places.size > mostColumns) throw refused(`The rows have more than ${mostColumns} different fields.`)
    this.#columns = [...this.#columns, ...fresh]
  }

  #refused(problem: string): RawRow {
    return { number: this.#number, columns: this.#columns, values: [], problem }
  }
}

const notList =
  "The body must be a list of objects: [{ … }, { … }]. For an object on each line send the type application/x-ndjson."

/** A list of objects. */
export class JsonListRows {
  readonly #rows = new ObjectRows()
  readonly #parser = new JSONParser({ paths: ["$.*"], keepStack: false })
  #found: Array<RawRow> = []
  #begun = false
  /** The characters since the last row ended. */
  #open = 0

  constructor() {
    this.#parser.onValue = ({ value }) => {
      this.#open = 0
      this.#found.push(this.#rows.row(value))
    }
  }

  /** The rows that end in this text. Rejects with ImportRefused. */
  async write(text: string): Promise<ReadonlyArray<RawRow>> {
    await setImmediate()
    if (!this.#begun && text.trim() !== "") {
      if (!text.trimStart().startsWith("[")) throw refused(notList)
      this.#begun = true
    }
    if (this.#begun) {
      this.#open += text.length
      this.#parse(() => this.#parser.write(text))
    }
    if (this.#open > longestRow) throw refused(`Row ${this.#rows.number + 1} is longer than ${longestRow} characters.`)
    const found = this.#found
    this.#found = []
    return found
  }

  async end(): Promise<ReadonlyArray<RawRow>> {
    if (!this.#begun) throw refused("The file is empty.")
    if (!this.#parser.isEnded) throw refused(`The list is not complete: it ends after row ${this.#rows.number}.`)
    return []
  }

  #parse(write: () => void): void {
    try {
      write()
    } catch (error) {
      if (error instanceof ImportRefused) throw error
      throw refused(`The body is not JSON: row ${this.#rows.number + 1} cannot be read.`)
    }
  }
}

/** An object on each line. */
export class JsonLineRows {
  readonly #rows = new ObjectRows()
  #open = ""
  #any = false

  /** The rows that end in this text. Rejects with ImportRefused. */
  async write(text: string): Promise<ReadonlyArray<RawRow>> {
    await setImmediate()
    const lines = (this.#open + text).split("\n")
    this.#open = lines.pop() ?? ""
    if (this.#open.length > longestRow)
      throw refused(`Row ${this.#rows.number + 1} is longer than ${longestRow} characters.`)
    return lines.flatMap((line) => this.#row(line))
  }

  async end(): Promise<ReadonlyArray<RawRow>> {
    const rows = this.#row(this.#open)
    if (!this.#any) throw refused("The file is empty.")
    return rows
  }

  #row(line: string): ReadonlyArray<RawRow> {
    const text = line.trim()
    if (text === "") return []
    this.#any = true
    const value = parsedJson(text)
    return [value === undefined ? this.#rows.broken() : this.#rows.row(value)]
  }
}
