/** What calls and AI cost: the allowance of the month, what is beyond it, and what providers take. Owners and admins see it. */
import { AmountBar } from "../../components/AmountBar.tsx"
import { BarChart } from "../../components/BarChart.tsx"
import { Card } from "../../components/Card.tsx"
import { NumberTable } from "../../components/NumberTable.tsx"
import { Stat } from "../../components/Stat.tsx"
import { ErrorBlock, ListSkeleton } from "../../components/States.tsx"
import { money, number, shortDate } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import type { Range } from "./range.ts"
import { useCost } from "./useFigures.ts"

const dollars = (amount: string): string => money(Number(amount), "USD")

const Used = ({ title, used, of }: { readonly title: string; readonly used: number; readonly of: number }) => (
  <Stat name={title} value={t("{used} of {total}", { used: number(used), total: number(of) })}>
    <AmountBar label={title} used={used} of={of} limited />
  </Stat>
)

export const Cost = ({ range }: { readonly range: Range }) => {
  const { data, error, refetch } = useCost(range)
  if (data === undefined)
    return error === null ? <ListSkeleton /> : <ErrorBlock error={error} again={() => void refetch()} />
  const { voice, ai } = data
  const { totals, allowance } = voice
  const { providerCost: cost } = totals
  const days = voice.data.map(({ day = "", price, providerCost }) => ({
    label: shortDate(`${day}T12:00:00Z`),
    values: [Number(providerCost.total), Number(price)]
  }))
  return (
    <>
      <dl className="grid gap-3 md:grid-cols-2 lg:grid-cols-4">
        <Used title={t("Minutes of this month")} used={allowance.used} of={allowance.minutes} />
        <Used title={t("AI tokens of this month")} used={ai.allowance.used} of={ai.allowance.tokens} />
        <Stat name={t("Beyond the allowance")} value={dollars(totals.price)}>
          {t("{n} minutes at {price}", { n: number(totals.overageMinutes), price: dollars(allowance.overagePrice) })}
        </Stat>
        <Stat name={t("Speech, model, voice")} value={dollars(cost.total)}>
          {totals.calls > 0 &&
            t("{price} for each call", { price: dollars(String(Number(cost.total) / totals.calls)) })}
        </Stat>
      </dl>
      <Card title={t("Cost by day, in dollars")}>
        {days.length === 0 ? (
          <p className="text-ink-3">{t("No calls in these days.")}</p>
        ) : (
          <BarChart
            title={t("Cost by day, in dollars")}
            of={t("Day")}
            parts={[
              { name: t("Speech, model, voice"), fill: "fill-ai" },
              { name: t("Beyond the allowance"), fill: "fill-contact" }
            ]}
            bars={days}
          />
        )}
        <NumberTable
          title={t("By provider")}
          head={[t("What"), t("Dollars")]}
          rows={[
            [t("Speech to text"), dollars(cost.speechToText)],
            [t("Language model"), dollars(cost.languageModel)],
            [t("Voice"), dollars(cost.textToSpeech)]
          ]}
        />
      </Card>
    </>
  )
}
