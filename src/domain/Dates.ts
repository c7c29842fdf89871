/** Dates as people write them. `Date` alone takes 30 February for 2 March. */

/** Whether this is a date that exists, `2026-12-25`. */
export const isDate = (text: string): boolean => {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}
