/** The days that are looked at, and those before, of the same number. Pure. Days are texts like `2026-11-26`. */

const dayMs = 86_400_000
const at = (day: string): number => Date.parse(`${day}T00:00:00Z`)

export const addDays = (day: string, days: number): string =>
  new Date(at(day) + days * dayMs).toISOString().slice(0, 10)

export interface Range {
  readonly from: string
  readonly to: string
}

/** The last days until today, both included. */
export const lastDays = (today: string, days: number): Range => ({ from: addDays(today, 1 - days), to: today })

/** How many days there are, both ends included. */
export const daysIn = ({ from, to }: Range): number => Math.round((at(to) - at(from)) / dayMs) + 1

/** As many days, right before. */
export const rangeBefore = (range: Range): Range => ({
  from: addDays(range.from, -daysIn(range)),
  to: addDays(range.from, -1)
})

/** The service takes at most so many days. */
export const mostDays = 366

export const isRange = ({ from, to }: Range): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(from) && /^\d{4}-\d\d-\d\d$/.test(to) && from <= to && daysIn({ from, to }) <= mostDays

/** By how many hundredths it differs from before; undefined when there was nothing. */
export const change = (now: number, before: number): number | undefined =>
  before === 0 ? undefined : (now - before) / before
