/** Times on the clocks of a time zone. Pure. */

const dayMs = 86_400_000

/** What the clocks of the zone show, written as `2026-11-23T09:30`. */
export const wallTime = (zone: string, at: number): string =>
  new Intl.DateTimeFormat("sv-SE", {
    timeZone: zone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit"
  })
    .format(new Date(at))
    .replace(" ", "T")

/** The moment in Unix milliseconds at which the clocks of the zone show this; NaN when it is no time. When they are put on meanwhile, the moment after. */
export const momentOf = (zone: string, wall: string): number => {
  const wanted = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(wall) ? Date.parse(`${wall}:00Z`) : Number.NaN
  let guess = wanted
  // Twice, because the first guess may be on the other side of a change of the clocks.
  for (let step = 0; step < 2 && !Number.isNaN(guess); step++)
    guess += wanted - Date.parse(`${wallTime(zone, guess)}:00Z`)
  return guess
}

/** The moment at which the clocks show this hour, so many days from today. */
export const clockOn = (zone: string, now: number, days: number, hour: number): number =>
  momentOf(zone, `${wallTime(zone, now + days * dayMs).slice(0, 10)}T${String(hour).padStart(2, "0")}:00`)

/** How many days it is from today to the next Monday, 1 to 7. */
export const daysToMonday = (zone: string, now: number): number => {
  const weekday = new Date(`${wallTime(zone, now).slice(0, 10)}T00:00:00Z`).getUTCDay()
  return (8 - weekday) % 7 || 7
}
