/** How it is going: figures of some days, beside those of as many days before. */
import { useNavigate, useSearch } from "@tanstack/react-router"
import { Download } from "lucide-react"
import { useState } from "react"
import { useSession } from "../../api/session.tsx"
import { Button } from "../../components/Button.tsx"
import { Input, Select } from "../../components/Field.tsx"
import { PageHead } from "../../components/Page.tsx"
import { Segmented } from "../../components/Segmented.tsx"
import { ErrorBlock, ListSkeleton } from "../../components/States.tsx"
import { isAdmin } from "../../lib/can.ts"
import { dayOf } from "../../lib/format.ts"
import { message, t } from "../../lib/i18n.ts"
import { Cost } from "./Cost.tsx"
import { isRange, lastDays, type Range } from "./range.ts"
import { saveCsv } from "./saveCsv.ts"
import { CallFigures, ConversationFigures, Overview, People, type Shown } from "./Tabs.tsx"
import { type GroupBy, useFigures } from "./useFigures.ts"

const tabs = [
  { value: "overview", label: message("Overview") },
  { value: "conversations", label: message("Conversations") },
  { value: "calls", label: message("Calls") },
  { value: "people", label: message("People") },
  { value: "cost", label: message("Cost") }
] as const
export type Tab = (typeof tabs)[number]["value"]
export const tabOf = (text: string): Tab => tabs.find(({ value }) => value === text)?.value ?? "overview"

const presets = ["7", "30", "90"] as const

const save = ({ now }: Shown) =>
  saveCsv(`analytics-${now.from}-${now.to}.csv`, [
    ["period", "received", "sent", "opened", "resolved", "firstAnswerMedianSeconds", "calls", "minutes", "escalated"],
    ...now.data.map(({ period, messages, conversations, calls }) => [
      ...[period, messages.inbound, messages.outbound, conversations.opened, conversations.resolved],
      ...[conversations.firstResponse.medianSeconds, calls.count, calls.minutes, calls.escalated]
    ])
  ])

const RangeFields = ({ range, onChange }: { readonly range: Range; readonly onChange: (range: Range) => void }) => {
  const [draft, setDraft] = useState(range)
  const take = (next: Range) => {
    setDraft(next)
    if (isRange(next)) onChange(next)
  }
  return (
    <>
      <Input
        label={t("From")}
        type="date"
        value={draft.from}
        onChange={(event) => take({ ...draft, from: event.target.value })}
      />
      <Input
        label={t("To")}
        type="date"
        value={draft.to}
        problem={isRange(draft) ? undefined : t("Choose at most 366 days, the first before the last.")}
        onChange={(event) => take({ ...draft, to: event.target.value })}
      />
    </>
  )
}

export const AnalyticsView = ({ tab: asked }: { readonly tab: Tab }) => {
  const search = useSearch({ from: "/signed-in/analytics/$tab" })
  const navigate = useNavigate()
  const admin = isAdmin(useSession())
  const tab = asked === "cost" && !admin ? "overview" : asked
  const today = dayOf(new Date().toISOString())
  const usual = lastDays(today, 30)
  const given = { from: search.from ?? usual.from, to: search.to ?? usual.to }
  const range = isRange(given) ? given : usual
  const by: GroupBy = search.by ?? "day"
  const set = (changes: { readonly from?: string; readonly to?: string; readonly by?: GroupBy }) =>
    void navigate({ to: "/analytics/$tab", params: { tab }, search: { ...search, ...changes }, replace: true })
  const { data, error, refetch, isPlaceholderData } = useFigures(range, by)
  const preset = presets.find((days) => {
    const one = lastDays(today, Number(days))
    return one.from === range.from && one.to === range.to
  })
  return (
    <>
      <PageHead title={t("Analytics")}>
        <Button icon={Download} disabled={data === undefined} onClick={() => data !== undefined && save(data)}>
          {t("CSV")}
        </Button>
      </PageHead>
      <div className={`scroll-thin flex-1 overflow-y-auto p-4 md:p-6 ${isPlaceholderData ? "opacity-60" : ""}`}>
        <div className="mx-auto flex max-w-[1040px] flex-col gap-4">
          <div className="flex flex-wrap items-end gap-3">
            <Segmented
              label={t("Figures")}
              value={tab}
              options={tabs
                .filter(({ value }) => value !== "cost" || admin)
                .map(({ value, label }) => ({ value, label: t(label) }))}
              onChange={(next) => void navigate({ to: "/analytics/$tab", params: { tab: next }, search })}
            />
            <span className="flex-1" />
            <Select
              label={t("Days")}
              value={preset ?? ""}
              options={[
                ...(preset === undefined ? [["", t("Chosen days")] as const] : []),
                ...presets.map((days) => [days, t("The last {n} days", { n: days })] as const)
              ]}
              onChange={(event) => event.target.value !== "" && set(lastDays(today, Number(event.target.value)))}
            />
            <RangeFields key={`${range.from} ${range.to}`} range={range} onChange={set} />
            <Segmented
              label={t("Periods")}
              value={by}
              options={[
                { value: "day", label: t("Day") },
                { value: "week", label: t("Week") },
                { value: "month", label: t("Month") }
              ]}
              onChange={(next) => set({ by: next })}
            />
          </div>
          {tab === "cost" ? (
            <Cost range={range} />
          ) : data === undefined ? (
            error === null ? (
              <ListSkeleton />
            ) : (
              <ErrorBlock error={error} again={() => void refetch()} />
            )
          ) : tab === "conversations" ? (
            <ConversationFigures {...data} />
          ) : tab === "calls" ? (
            <CallFigures {...data} />
          ) : tab === "people" ? (
            <People {...data} />
          ) : (
            <Overview {...data} />
          )}
        </div>
      </div>
    </>
  )
}
