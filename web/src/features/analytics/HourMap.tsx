/** Calls by weekday and hour: a table whose cells are the darker, the more calls there were. */
import type { Analytics } from "@parley/client"
import { number } from "../../lib/format.ts"
import { message, t } from "../../lib/i18n.ts"

const weekdays = [
  message("Monday"),
  message("Tuesday"),
  message("Wednesday"),
  message("Thursday"),
  message("Friday"),
  message("Saturday"),
  message("Sunday")
]

const shades = ["", "bg-ai/10", "bg-ai/20", "bg-ai/30", "bg-ai/40"]

export const HourMap = ({ byHour }: { readonly byHour: Analytics["calls"]["byHour"] }) => {
  if (byHour.length === 0) return <p className="text-ink-3">{t("No calls in these days.")}</p>
  const hours = byHour.map(({ hour }) => hour)
  const [first, last] = [Math.min(...hours), Math.max(...hours)]
  const columns = Array.from({ length: last - first + 1 }, (_, at) => first + at)
  const most = Math.max(...byHour.map(({ count }) => count))
  const of = (weekday: number, hour: number) =>
    byHour.find((one) => one.weekday === weekday && one.hour === hour)?.count ?? 0
  return (
    <div className="overflow-x-auto">
      <table className="num w-full border-separate border-spacing-0.5 text-center text-label">
        <caption className="sr-only">{t("Calls by weekday and hour")}</caption>
        <thead>
          <tr>
            <td />
            {columns.map((hour) => (
              <th key={hour} scope="col" className="font-normal text-ink-3">
                {hour}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weekdays.map((name, at) => (
            <tr key={name}>
              <th scope="row" className="pe-2 text-start font-normal whitespace-nowrap text-ink-2">
                {t(name)}
              </th>
              {columns.map((hour) => {
                const count = of(at + 1, hour)
                return (
                  <td key={hour} className={`h-6 min-w-6 rounded-[4px] ${shades[Math.ceil((count / most) * 4)] ?? ""}`}>
                    {count === 0 ? "" : number(count)}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
