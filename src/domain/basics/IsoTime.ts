/** Times as the HTTP interface gives them: ISO 8601 in UTC. */

const dayMs = 86_400_000
const two = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, "0"))
const minutesOfDay = Array.from({ length: 1_440 }, (_, n) => `T${two[Math.floor(n / 60)]}:${two[n % 60]}:`)
const seconds = two.map((text) => `${text}.`)
const milliseconds = Array.from({ length: 1_000 }, (_, n) => `${String(n).padStart(3, "0")}Z`)
const most = 1_000
const days = new Map<number, string>()

const dayText = (day: number): string => {
  const known = days.get(day)
  if (known !== undefined) return known
  const [text] = new Date(day * dayMs).toISOString().split("T")
  if (days.size >= most) days.clear()
  days.set(day, text)
  return text
}

/**
 * Formats Unix milliseconds like `Date.toISOString`. That one took a tenth of the time of a list of contacts (V8 formats it with the C library);
 * joining prepared parts takes a tenth of that. Throws a RangeError for a number that is not a time.
 */
export const isoTime = (ms: number): string => {
  const day = Math.floor(ms / dayMs)
  const inDay = ms - day * dayMs
  const second = Math.floor(inDay / 1_000)
  return dayText(day) + minutesOfDay[Math.floor(second / 60)] + seconds[second % 60] + milliseconds[inDay % 1_000]
}
