/** What happened today, each figure beside the days before. */
import type { Analytics } from "@parley/client"
import { useQuery } from "@tanstack/react-query"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { Sparkline } from "../../components/Sparkline.tsx"
import { Stat } from "../../components/Stat.tsx"
import { dayOf, number } from "../../lib/format.ts"
import { message, t } from "../../lib/i18n.ts"
import { lastDays } from "../analytics/range.ts"

const days = 14

type Day = Analytics["data"][number]

const figures: ReadonlyArray<readonly [name: string, of: (day: Day) => number]> = [
  [message("Messages received"), ({ messages }) => messages.inbound],
  [message("Messages sent"), ({ messages }) => messages.outbound],
  [message("Conversations opened"), ({ conversations }) => conversations.opened],
  [message("Calls"), ({ calls }) => calls.count]
]

export const Today = () => {
  const range = lastDays(dayOf(new Date().toISOString()), days)
  const { data } = useQuery({
    queryKey: [...keys.start, "today", range.to],
    // Messages do not ask for it anew; whoever comes back sees what has come since.
    staleTime: 60_000,
    queryFn: ({ signal }) => parley.analytics.get({ ...range, groupBy: "day" }, { signal }).then(({ data }) => data)
  })
  const today = data?.at(-1)
  // The steps above are what one came for: they do not wait for figures, nor for those that cannot be read.
  if (data === undefined || today === undefined) return null
  return (
    <section aria-labelledby="today" className="mt-6">
      <h2 id="today" className="mb-2 font-semibold">
        {t("Today")} <span className="font-normal text-ink-3">· {t("beside the last {n} days", { n: days })}</span>
      </h2>
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {figures.map(([name, of]) => (
          <Stat key={name} name={t(name)} value={number(of(today))}>
            <Sparkline values={data.map(of)} />
          </Stat>
        ))}
      </dl>
    </section>
  )
}
