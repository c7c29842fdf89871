/** Writes numbers, times and durations, always by `Intl`, in the active language and the organization's time zone. */
import { formatLocale, t } from "./i18n.ts"
import { decimalOf } from "./money.ts"

let zone: string | undefined

/** The organization's time zone: absolute times are shown in it. */
export const setTimeZone = (timeZone: string | undefined): void => {
  zone = timeZone
}

export const timeZone = (): string => zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone

const formats = new Map<string, Intl.DateTimeFormat>()

/** Making a format takes longer than using it. */
const dateFormat = (name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => {
  const key = `${formatLocale()}|${zone}|${name}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat(formatLocale(), {
    ...options,
    ...(zone === undefined ? {} : { timeZone: zone })
  })
  formats.set(key, made)
  return made
}

export const number = (value: number, options: Intl.NumberFormatOptions = {}): string =>
  new Intl.NumberFormat(formatLocale(), options).format(value)

export const percent = (share: number): string => number(share, { style: "percent", maximumFractionDigits: 0 })

export const money = (amount: number, currency: string): string => number(amount, { style: "currency", currency })

/** `$24.99` of 2499 cents. */
export const moneyOf = (amount: number, currency: string): string =>
  money(Number(decimalOf(amount, currency)), currency)

/** `09:12` */
export const clock = (at: string): string =>
  dateFormat("clock", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(new Date(at))

/** `Mon 23 Nov 2026, 09:12` */
export const moment = (at: string): string =>
  dateFormat("moment", {
    ...{ weekday: "short", day: "numeric", month: "short", year: "numeric" },
    ...{ hour: "2-digit", minute: "2-digit", hourCycle: "h23" }
  }).format(new Date(at))

/** `Thu 18:43`: a time within the next days. */
export const weekdayClock = (at: string): string =>
  dateFormat("weekday-clock", { weekday: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(
    new Date(at)
  )

/** `23 Nov`, with the year when it is another one. */
export const shortDate = (at: string, now = Date.now()): string => {
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear()
  const options: Intl.DateTimeFormatOptions = {
    day: "numeric",
    month: "short",
    ...(sameYear ? {} : { year: "numeric" })
  }
  return dateFormat(sameYear ? "day" : "day-year", options).format(new Date(at))
}

/** The day as a key: `2026-11-23` in the organization's zone. */
export const dayOf = (at: string): string =>
  new Intl.DateTimeFormat("sv-SE", zone === undefined ? {} : { timeZone: zone }).format(new Date(at))

/** `Today`, `Yesterday`, else the date. */
export const dayName = (at: string, now = Date.now()): string => {
  const day = dayOf(at)
  if (day === dayOf(new Date(now).toISOString())) return t("Today")
  if (day === dayOf(new Date(now - 86_400_000).toISOString())) return t("Yesterday")
  return dateFormat("long-day", { weekday: "long", day: "numeric", month: "long", year: "numeric" }).format(
    new Date(at)
  )
}

/** How long ago, as short as a list needs it: `now`, `3m`, `2h`, `5d`, then the date. */
export const ago = (at: string, now = Date.now()): string => {
  const minutes = Math.floor((now - Date.parse(at)) / 60_000)
  if (minutes < 1) return t("now")
  if (minutes < 60) return t("{n}m", { n: minutes })
  if (minutes < 24 * 60) return t("{n}h", { n: Math.floor(minutes / 60) })
  if (minutes < 7 * 24 * 60) return t("{n}d", { n: Math.floor(minutes / (24 * 60)) })
  return shortDate(at, now)
}

/** A span of time in words as short as a chip needs: `45 s`, `4m`, `2h 5m`, `3d`. */
export const span = (ms: number): string => {
  const minutes = Math.round(ms / 60_000)
  if (ms < 60_000) return t("{n} s", { n: Math.max(0, Math.round(ms / 1000)) })
  if (minutes < 60) return t("{n}m", { n: minutes })
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return minutes % 60 === 0 ? t("{n}h", { n: hours }) : t("{h}h {m}m", { h: hours, m: minutes % 60 })
  return t("{n}d", { n: Math.floor(hours / 24) })
}

/** `1:48`, and hours when there are some. */
export const length = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds))
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60]
  const pad = (value: number) => String(value).padStart(2, "0")
  return h > 0 ? `${h}:${pad(m)}:${pad(s)}` : `${m}:${pad(s)}`
}

/** `182 KB` */
export const size = (bytes: number): string => {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"] as const
  const step = Math.min(units.length - 1, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(1024)))
  const value = bytes / 1024 ** step
  return number(value, { style: "unit", unit: units[step] ?? "byte", maximumFractionDigits: value < 10 ? 1 : 0 })
}

/** `0.86 s` */
export const seconds = (ms: number): string =>
  t("{n} s", { n: number(ms / 1000, { minimumFractionDigits: 2, maximumFractionDigits: 2 }) })

/** A phone number in groups: `+1 415 555 0101`. Others as they are. */
export const phone = (text: string): string => {
  const [, area, first, last] = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(text) ?? []
  if (area !== undefined) return `+1 ${area} ${first} ${last}`
  const [, india, rest] = /^\+91(\d{5})(\d{5})$/.exec(text) ?? []
  return india !== undefined ? `+91 ${india} ${rest}` : text
}

/** The initials of a name: the first letters of its first and last word; of a number its country code. */
export const initials = (name: string): string => {
  const words = name
    .trim()
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
  if (words.length === 0) return "?"
  if (/^\+\d/.test(name)) return name.slice(0, 3).trim()
  const letter = (word: string | undefined) => [...new Intl.Segmenter().segment(word ?? "")][0]?.segment ?? ""
  const first = letter(words[0])
  return (words.length === 1 ? first : first + letter(words.at(-1))).toUpperCase()
}
