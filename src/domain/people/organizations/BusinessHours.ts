/**
 * Business hours: when an organization takes and places calls. It has hours for each weekday, and holidays with their own hours, in the local time of
 * its time zone. So on the night the clocks change, 01:30 may come twice (open both times) or never (open as soon as the clock is past it).
 */
import { DateTime, Schema } from "effect"
import { CalendarDate, ClockTime } from "../../basics/Calendar.ts"
import { anyText } from "../../basics/PlainText.ts"

export const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const

const hourMs = 3_600_000
const dayMs = 24 * hourMs

const open = { opens: ClockTime, closes: ClockTime }
const lasts = Schema.makeFilter(
  ({ opens, closes }: { readonly opens: string; readonly closes: string }) =>
    (opens !== closes && opens !== "24:00") ||
    `${opens} to ${closes} is no time at all; for the whole day write 00:00 to 24:00.`
)

/** From `opens` until, not including, `closes`; a `closes` before `opens` is on the next day. */
export const OpenHours = Schema.Struct(open).check(lasts)
export type OpenHours = typeof OpenHours.Type

export const Holiday = Schema.Struct({
  /** The local day on which it begins at midnight. */
  date: CalendarDate,
  name: Schema.optionalKey(anyText(100)),
  /** They replace the weekday's hours; empty: closed. Hours that began the evening before run to their end. */
  hours: Schema.Array(OpenHours).check(Schema.isMaxLength(10))
})
export type Holiday = typeof Holiday.Type

const onceEach = Schema.makeFilter((holidays: ReadonlyArray<Holiday>) => {
  const twice = holidays.find(({ date }, index) => holidays.findIndex((other) => other.date === date) < index)
  return twice === undefined || `${twice.date} is listed twice; give all its hours in one entry.`
})

export const BusinessHours = Schema.Struct({
  /** A day may have several entries. A weekday without an entry is closed. */
  weekly: Schema.Array(Schema.Struct({ day: Schema.Literals(weekdays), ...open }).check(lasts)).check(
    Schema.isMaxLength(70)
  ),
  holidays: Schema.Array(Holiday).check(Schema.isMaxLength(400), onceEach)
}).annotate({
  title: "BusinessHours",
  examples: [
    {
      weekly: [
        { day: "monday", opens: "09:00", closes: "18:00" },
        { day: "saturday", opens: "10:00", closes: "16:00" }
      ],
      holidays: [{ date: "2026-12-25", name: "Christmas", hours: [] }]
    }
  ]
})
export type BusinessHours = typeof BusinessHours.Type

const millis = (instant: Date | number): number => (typeof instant === "number" ? instant : instant.getTime())

/** The local time of an instant ("wall time"), as the Unix milliseconds at which a clock in UTC shows the same. */
const wallTime = (zone: DateTime.TimeZone.Named, at: number): number =>
  DateTime.toDate(DateTime.makeZonedUnsafe(at, { timeZone: zone })).getTime()

const clockMs = (text: string): number => (Number(text.slice(0, 2)) * 60 + Number(text.slice(3))) * 60_000

/** The hours that begin on the day with this midnight; all in wall time. */
const hoursOf = (hours: BusinessHours, midnight: number) => {
  const day = new Date(midnight)
  const date = day.toISOString().slice(0, 10)
  const weekday = weekdays[(day.getUTCDay() + 6) % 7]
  const own = hours.holidays.find((holiday) => holiday.date === date)?.hours
  return (own ?? hours.weekly.filter(({ day }) => day === weekday)).map(({ opens, closes }) => {
    const [from, to] = [clockMs(opens), clockMs(closes)]
    return { from: midnight + from, to: midnight + (to > from ? to : to + dayMs) }
  })
}

/** The hours that can contain a wall time: those of its day and of the day before. */
const hoursAround = (hours: BusinessHours, wall: number) => {
  const midnight = Math.floor(wall / dayMs) * dayMs
  return [...hoursOf(hours, midnight - dayMs), ...hoursOf(hours, midnight)]
}

/** Whether the organization is open at an instant (Unix milliseconds). Without hours it always is. Throws for an unknown time zone. */
export const isOpen = (hours: BusinessHours | null, timeZone: string, instant: Date | number): boolean => {
  if (hours === null) return true
  const wall = wallTime(DateTime.zoneMakeNamedUnsafe(timeZone), millis(instant))
  return hoursAround(hours, wall).some(({ from, to }) => from <= wall && wall < to)
}

/** The first instant after `from` with another offset of the zone; `to` when the offset is the same there. Assumes at most one change in between. */
const offsetChange = (zone: DateTime.TimeZone.Named, from: number, to: number): number => {
  const offset = wallTime(zone, from) - from
  if (wallTime(zone, to) - to === offset) return to
  let [before, after] = [from, to]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (wallTime(zone, middle) - middle === offset) before = middle
    else after = middle
  }
  return after
}

/** The first wall time within hours from `wall` until, not including, `until`, which is at most a day later. */
const firstOpen = (hours: BusinessHours, wall: number, until: number): number | undefined =>
  [...hoursAround(hours, wall), ...hoursAround(hours, until)]
    .flatMap(({ from, to }) => (to > wall && from < until ? [Math.max(from, wall)] : []))
    .reduce<number | undefined>((first, at) => (first === undefined || at < first ? at : first), undefined)

const farthestMs = 366 * dayMs

/** The first instant not before `instant` (Unix milliseconds) at which `isOpen` is true; `undefined` when there is none within a year. */
export const nextOpening = (
  hours: BusinessHours | null,
  timeZone: string,
  instant: Date | number
): number | undefined => {
  const start = millis(instant)
  if (hours === null) return start
  const zone = DateTime.zoneMakeNamedUnsafe(timeZone)
  // While the offset is the same, wall time and time differ by a constant.
  for (let from = start; from < start + farthestMs; ) {
    const to = offsetChange(zone, from, from + dayMs)
    const wall = wallTime(zone, from)
    const opening = firstOpen(hours, wall, wall + (to - from))
    if (opening !== undefined) return from + (opening - wall)
    from = to
  }
  return undefined
}

/** The state at `now` (Unix milliseconds). `opensAt`: when a closed organization opens next; null when it is open or does not open within a year. */
export const openingState = (
  hours: BusinessHours | null,
  timeZone: string,
  now: number
): { readonly open: boolean; readonly opensAt: string | null } => {
  if (isOpen(hours, timeZone, now)) return { open: true, opensAt: null }
  const opening = nextOpening(hours, timeZone, now)
  return { open: false, opensAt: opening === undefined ? null : new Date(opening).toISOString() }
}

interface Stretch {
  readonly from: number
  readonly to: number
}

/** The same time as ordered stretches that do not overlap. */
const joined = (stretches: ReadonlyArray<Stretch>): ReadonlyArray<Stretch> =>
  stretches
    .toSorted((a, b) => a.from - b.from)
    .reduce<Array<Stretch>>((done, next) => {
      const last = done.at(-1)
      if (last === undefined || next.from > last.to) done.push(next)
      else if (next.to > last.to) done[done.length - 1] = { from: last.from, to: next.to }
      return done
    }, [])

/** The open stretches from one wall time until another, at most a day later. */
const openBetween = (hours: BusinessHours, wall: number, until: number): ReadonlyArray<Stretch> =>
  joined(
    [...hoursAround(hours, wall), ...hoursAround(hours, until)].flatMap(({ from, to }) =>
      to > wall && from < until ? [{ from: Math.max(from, wall), to: Math.min(to, until) }] : []
    )
  )

/**
 * The instant at which the organization will have been open for `durationMs` milliseconds since `instant` (Unix milliseconds); `undefined` when that
 * is not within a year. Without hours it is always open.
 */
export const afterOpenTime = (
  hours: BusinessHours | null,
  timeZone: string,
  instant: number,
  durationMs: number
): number | undefined => {
  if (hours === null) return instant + durationMs
  const zone = DateTime.zoneMakeNamedUnsafe(timeZone)
  let left = durationMs
  for (let from = instant; from < instant + farthestMs; ) {
    const to = offsetChange(zone, from, from + dayMs)
    const wall = wallTime(zone, from)
    for (const open of openBetween(hours, wall, wall + (to - from))) {
      if (open.to - open.from >= left) return from + (open.from - wall) + left
      left -= open.to - open.from
    }
    from = to
  }
  return undefined
}
