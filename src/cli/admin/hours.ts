/** The `parley admin` command for business hours, in a form that can be typed: `mon-fri 09:00-17:00`, `2026-12-25 closed`. */
import { Clock, Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { isTimeZone } from "../../domain/basics/Calendar.ts"
import { BusinessHours, openingState, weekdays } from "../../domain/people/organizations/BusinessHours.ts"
import { makeManageOrganization } from "../../domain/people/organizations/ManageOrganization.ts"
import { AdminError, answer, existing, json, organization } from "./shared.ts"

const refuse = (message: string) => new AdminError({ message })

/** `mon`, `mon-fri` or `fri-mon` → days, in order. */
const daysOf = (text: string): ReadonlyArray<(typeof weekdays)[number]> => {
  const [first, last = first] = text
    .split("-")
    .map((part) => (/^[a-z]{3,}$/i.test(part) ? weekdays.findIndex((day) => day.startsWith(part.toLowerCase())) : -1))
  if (first < 0 || last < 0) return []
  return Array.from({ length: ((last - first + 7) % 7) + 1 }, (_, index) => weekdays[(first + index) % 7])
}

/** Takes `09:00-12:00 13:00-17:00` or `closed`. The schema finds invalid times later. */
const hoursOf = (texts: ReadonlyArray<string>) =>
  texts.flatMap((text) => {
    if (text === "closed") return []
    const [opens = "", closes = ""] = text.split("-")
    return [{ opens, closes }]
  })

const words = (text: string): ReadonlyArray<string> => text.trim().split(/\s+/)

/** The typed hours. Fails with an `AdminError` that says what is wrong with them. */
const parseHours = Effect.fnUntraced(function* (open: ReadonlyArray<string>, holidays: ReadonlyArray<string>) {
  const weekly = yield* Effect.forEach(open, (text) => {
    const [days, ...hours] = words(text)
    const named = daysOf(days)
    if (named.length === 0 || hours.length === 0)
      return Effect.fail(refuse(`"${text}" is not understood; write --open "mon-fri 09:00-17:00".`))
    return Effect.succeed(named.flatMap((day) => hoursOf(hours).map((hour) => ({ day, ...hour }))))
  })
  const special = holidays.map((text) => {
    const [date, ...hours] = words(text)
    return { date, hours: hoursOf(hours) }
  })
  return yield* Schema.decodeUnknownEffect(BusinessHours)({ weekly: weekly.flat(), holidays: special }).pipe(
    Effect.mapError((error) => refuse(error.message.split("\n")[0]))
  )
})

export const businessHours = Command.make(
  "business-hours",
  {
    organization,
    timeZone: Flag.String("time-zone").pipe(
      Flag.withDescription("IANA name, e.g. Asia/Kolkata; kept when absent"),
      Flag.optional
    ),
    open: Flag.String("open").pipe(
      Flag.withDescription('Days and hours, e.g. "mon-fri 09:00-12:00 13:00-17:00"; may be given several times'),
      Flag.atLeast(0)
    ),
    holiday: Flag.String("holiday").pipe(
      Flag.withDescription('A date and its own hours, e.g. "2026-12-25 closed" or "2026-12-24 09:00-12:00"'),
      Flag.atLeast(0)
    ),
    always: Flag.Boolean("always").pipe(Flag.withDescription("Remove the limit"), Flag.withDefault(false)),
    json
  },
  Effect.fnUntraced(function* ({ organization, timeZone, open, holiday, always, json }) {
    const { setBusinessHours } = yield* makeManageOrganization
    const found = yield* existing(organization)
    const zone = Option.getOrElse(timeZone, () => found.timeZone)
    if (!isTimeZone(zone)) return yield* refuse(`${zone} is not a time zone (IANA name).`)
    const given = open.length + holiday.length > 0
    if (always && given) return yield* refuse("Say either --always or the hours.")
    const hours = always ? null : given ? yield* parseHours(open, holiday) : found.businessHours
    if (always || given || Option.isSome(timeZone))
      yield* setBusinessHours(found, { timeZone: zone, businessHours: hours })
    yield* answer(json, {
      organizationId: found.id,
      timeZone: zone,
      businessHours: hours,
      ...openingState(hours, zone, yield* Clock.currentTimeMillis)
    })
  })
).pipe(Command.withDescription("Show an organization's business hours, or set them"))
