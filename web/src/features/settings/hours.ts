/** Business hours as rows of a form, and back. Pure; `test/web/live.test.ts`. */
import type { BusinessHours } from "@parley/client"

export type Day = BusinessHours["weekly"][number]["day"]
export const days: ReadonlyArray<Day> = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

export interface Span {
  readonly opens: string
  readonly closes: string
}

export type Week = Readonly<Record<Day, ReadonlyArray<Span>>>

export const weekOf = ({ weekly }: Pick<BusinessHours, "weekly">): Week =>
  Object.fromEntries(
    days.map((day) => [day, weekly.filter((one) => one.day === day).map(({ opens, closes }) => ({ opens, closes }))])
  ) as unknown as Week

export const weeklyOf = (week: Week): BusinessHours["weekly"] =>
  days.flatMap((day) => week[day].map((span) => ({ day, ...span })))

/** What begins with when hours are switched on. */
export const usualWeek: Week = weekOf({
  weekly: days.slice(0, 5).map((day) => ({ day, opens: "09:00", closes: "17:00" }))
})

/** Whether a span goes into the next day. `24:00` is the end of the same one. */
export const overnight = ({ opens, closes }: Span): boolean => closes <= opens
