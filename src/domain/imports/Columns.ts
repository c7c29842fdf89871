/** Which column of a file is read as which field: by the names that people give to columns, or by a name that the sender gives. */
import { ImportRefused } from "./Import.ts"

/** A field, and the names by which its column is known, as `plain` writes them. */
export interface ImportField {
  readonly field: string
  readonly names: ReadonlyArray<string>
  /** A file of CSV must have its column. */
  readonly required?: boolean
}

/** The name of a column without case, accents and signs: `E-Mail Address` → `emailaddress`. */
const plain = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "")

/** Where each field is found among the columns. */
export type ColumnMap = ReadonlyMap<string, number>

const quoted = (name: string) => `"${name.length > 60 ? `${name.slice(0, 60)}…` : name}"`

const refused = (message: string) => new ImportRefused({ message })

const listed = (columns: ReadonlyArray<string>): string => {
  const shown = columns.filter((name) => name.trim() !== "").slice(0, 12)
  return `${shown.map(quoted).join(", ")}${columns.length > shown.length && shown.length === 12 ? ", …" : ""}`
}

/** The columns of this field. A name that the sender gives counts alone. */
const placesOf = ({ names }: ImportField, columns: ReadonlyArray<string>, given: string | undefined) => {
  const wanted = given === undefined ? names : [plain(given)]
  return columns.flatMap((column, at) => (plain(column) !== "" && wanted.includes(plain(column)) ? [at] : []))
}

/**
 * The map of these columns, or why there is none. `given`: the names of columns that the sender gives, by field. `complete`: no more columns come,
 * so each required one must be there.
 */
export const mapColumns = (
  fields: ReadonlyArray<ImportField>,
  columns: ReadonlyArray<string>,
  given: Readonly<Record<string, string | undefined>>,
  complete: boolean
): ColumnMap | ImportRefused => {
  const map = new Map<string, number>()
  // A column that the sender gives to one field is not read as another.
  const taken = new Set<number>()
  const byGiven = [...fields].sort(
    (a, b) => Number(given[a.field] === undefined) - Number(given[b.field] === undefined)
  )
  for (const one of byGiven) {
    const name = given[one.field]
    const places = placesOf(one, columns, name).filter((at) => !taken.has(at))
    if (places.length > 1)
      return refused(
        `Two columns are read as ${one.field}: ${quoted(columns[places[0]])} and ${quoted(columns[places[1]])}. Name the right one with ${one.field}Column.`
      )
    if (places.length === 0 && complete && (one.required === true || name !== undefined))
      return refused(
        `The file has no column ${name === undefined ? `that is read as ${one.field}` : quoted(name)}. Its columns are ${listed(columns)}. Name the right one with ${one.field}Column.`
      )
    if (places.length === 0) continue
    map.set(one.field, places[0])
    taken.add(places[0])
  }
  return map
}
