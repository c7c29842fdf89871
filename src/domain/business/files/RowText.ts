/** Reads the texts of a row's cells as values. */
import { Data } from "effect"
import { unguarded } from "../../imports/ImportReport.ts"

/** Why a row is refused: the field, and a sentence that begins with it. */
export class RowProblem extends Data.TaggedError("RowProblem")<{
  readonly field: string
  readonly problem: string
}> {}

export const rowProblem = (field: string, problem: string): RowProblem => new RowProblem({ field, problem })

/** The text of a field, trimmed; `undefined` when the cell is empty or missing. */
export type Cells = (field: string) => string | undefined

export const listIn = (text: string | undefined): ReadonlyArray<string> | undefined =>
  text
    ?.split(/[;|]/)
    .map((one) => unguarded(one.trim()))
    .filter((one) => one !== "")

const yes = new Set(["true", "yes", "y", "1"])
const no = new Set(["false", "no", "n", "0"])

/** true, false, or the text itself when it is neither. */
export const flagIn = (text: string): boolean | string => {
  const word = text.toLowerCase()
  if (yes.has(word)) return true
  return no.has(word) ? false : text
}

/** The number, or the text itself when it is none. */
export const numberIn = (text: string): number | string => (/^-?\d{1,15}(\.\d{1,9})?$/.test(text) ? Number(text) : text)

/** The time of a cell in ISO 8601; a date or time without a zone is one of UTC. `undefined` when it is none. */
export const instantIn = (text: string): string | undefined => {
  const parts = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?\s*(Z|[+-]\d\d:?\d\d|UTC)?$/i.exec(text)
  if (parts === null) return undefined
  const [, date, time = "00:00", zone = "Z"] = parts
  const ms = Date.parse(`${date}T${time}${/^utc$/i.test(zone) ? "Z" : zone}`)
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}
