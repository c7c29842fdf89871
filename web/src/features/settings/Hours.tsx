/** When calls are answered and placed: the week, and days that differ. */
import type { BusinessHours } from "@parley/client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Plus, Trash2 } from "lucide-react"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { useSession } from "../../api/session.tsx"
import { Button } from "../../components/Button.tsx"
import { Card } from "../../components/Card.tsx"
import { Input } from "../../components/Field.tsx"
import { PageHead } from "../../components/Page.tsx"
import { SaveBar } from "../../components/SaveBar.tsx"
import { ErrorBlock, Skeleton } from "../../components/States.tsx"
import { Switch } from "../../components/Switch.tsx"
import { isAdmin } from "../../lib/can.ts"
import { message, t } from "../../lib/i18n.ts"
import { useKeys } from "../../lib/keyboard.ts"
import { sentenceOf } from "../../lib/sentence.ts"
import { timeZones } from "../../lib/timeZones.ts"
import { say } from "../../lib/toasts.ts"
import { type Day, days, overnight, type Span, usualWeek, weeklyOf, weekOf } from "./hours.ts"

const dayNames: Readonly<Record<Day, string>> = {
  monday: message("Monday"),
  tuesday: message("Tuesday"),
  wednesday: message("Wednesday"),
  thursday: message("Thursday"),
  friday: message("Friday"),
  saturday: message("Saturday"),
  sunday: message("Sunday")
}

interface Draft {
  readonly timeZone: string
  readonly hours: BusinessHours | null
}

const time =
  "num h-8 w-[84px] rounded-control border border-line-strong bg-surface px-2 disabled:opacity-60 pointer-coarse:h-11"

const Spans = ({
  of,
  spans,
  onChange
}: {
  readonly of: string
  readonly spans: ReadonlyArray<Span>
  readonly onChange: (spans: ReadonlyArray<Span>) => void
}) => (
  <div className="flex flex-1 flex-col gap-1.5">
    {spans.length === 0 && <span className="flex min-h-8 items-center text-ink-3">{t("closed")}</span>}
    {spans.map((span, at) => (
      <div key={at} className="flex flex-wrap items-center gap-1.5">
        {(["opens", "closes"] as const).map((end) => (
          // A field of text: that of the browser for times knows no 24:00.
          <input
            key={end}
            aria-label={end === "opens" ? t("{day}, opens", { day: of }) : t("{day}, closes", { day: of })}
            pattern="([01]\d|2[0-4]):[0-5]\d"
            inputMode="numeric"
            maxLength={5}
            placeholder={end === "opens" ? "09:00" : "17:00"}
            value={span[end]}
            onChange={(event) => onChange(spans.with(at, { ...span, [end]: event.target.value }))}
            className={time}
          />
        ))}
        {overnight(span) && <span className="text-small text-ink-3">{t("until the next day")}</span>}
        <Button
          small
          tone="quiet"
          icon={Trash2}
          label={t("Remove {name}", { name: `${span.opens}–${span.closes}` })}
          onClick={() => onChange(spans.toSpliced(at, 1))}
        />
      </div>
    ))}
  </div>
)

const Holidays = ({
  holidays,
  onChange
}: {
  readonly holidays: BusinessHours["holidays"]
  readonly onChange: (holidays: BusinessHours["holidays"]) => void
}) => (
  <Card
    title={t("Days that differ")}
    beside={
      <Button
        small
        icon={Plus}
        onClick={() => onChange([...holidays, { date: new Date().toISOString().slice(0, 10), hours: [] }])}
      >
        {t("Add a day")}
      </Button>
    }
  >
    {holidays.length === 0 && <p className="text-ink-3">{t("None. Public holidays belong here.")}</p>}
    {holidays.map((holiday, at) => (
      <div key={at} className="flex flex-wrap items-end gap-2 border-line not-last:border-b not-last:pb-3">
        <Input
          label={t("Date")}
          type="date"
          required
          value={holiday.date}
          onChange={(event) => onChange(holidays.with(at, { ...holiday, date: event.target.value }))}
        />
        <div className="min-w-32 flex-1">
          <Input
            label={t("Name")}
            maxLength={100}
            dir="auto"
            value={holiday.name ?? ""}
            onChange={(event) => {
              const { name: _, ...rest } = holiday
              onChange(holidays.with(at, event.target.value === "" ? rest : { ...rest, name: event.target.value }))
            }}
          />
        </div>
        <Spans
          of={holiday.name ?? holiday.date}
          spans={holiday.hours}
          onChange={(hours) => onChange(holidays.with(at, { ...holiday, hours: [...hours] }))}
        />
        <Button
          small
          icon={Plus}
          label={t("Add hours to {day}", { day: holiday.name ?? holiday.date })}
          onClick={() =>
            onChange(holidays.with(at, { ...holiday, hours: [...holiday.hours, { opens: "09:00", closes: "12:00" }] }))
          }
        />
        <Button
          small
          tone="quiet"
          icon={Trash2}
          label={t("Remove {name}", { name: holiday.name ?? holiday.date })}
          onClick={() => onChange(holidays.toSpliced(at, 1))}
        />
      </div>
    ))}
  </Card>
)

const Form = ({ saved, mayWrite }: { readonly saved: Draft; readonly mayWrite: boolean }) => {
  const client = useQueryClient()
  const [draft, setDraft] = useState(saved)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const differs = (a: unknown, b: unknown) => JSON.stringify(a) !== JSON.stringify(b)
  const names = [
    ...(differs(draft.timeZone, saved.timeZone) ? [t("Time zone")] : []),
    ...(differs(draft.hours, saved.hours) ? [t("Business hours")] : [])
  ]
  const save = async () => {
    if (names.length === 0 || busy) return
    setBusy(true)
    setProblem(undefined)
    try {
      const { timeZone, hours } = draft
      client.setQueryData(keys.businessHours, await parley.businessHours.set({ timeZone, businessHours: hours }))
      void client.invalidateQueries({ queryKey: keys.session })
      say(t("Saved. Calls have it from now on."))
    } catch (cause) {
      setProblem(sentenceOf(cause))
    } finally {
      setBusy(false)
    }
  }
  useKeys({ "Mod+s": () => void save() })
  const { hours } = draft
  const week = hours === null ? usualWeek : weekOf(hours)
  const set = (changes: Partial<BusinessHours>) => {
    if (hours !== null) setDraft({ ...draft, hours: { ...hours, ...changes } })
  }
  return (
    <>
      <div className="scroll-thin flex-1 overflow-y-auto p-4 md:p-6">
        <fieldset disabled={!mayWrite} className="mx-auto flex max-w-[720px] flex-col gap-3">
          {!mayWrite && <p className="text-ink-3">{t("You may look, but not change.")}</p>}
          <Card title={t("When calls are answered and placed")}>
            <Input
              label={t("Time zone")}
              hint={t("As in Asia/Kolkata or America/New_York. Hours are local, also in summer time.")}
              list="time-zones"
              value={draft.timeZone}
              changed={draft.timeZone !== saved.timeZone}
              onChange={(event) => setDraft({ ...draft, timeZone: event.target.value })}
            />
            <datalist id="time-zones">
              {timeZones().map(([zone]) => (
                <option key={zone} value={zone} />
              ))}
            </datalist>
            <Switch
              label={t("Only at certain hours")}
              detail={t("otherwise calls are answered day and night")}
              checked={hours !== null}
              changed={(hours === null) !== (saved.hours === null)}
              onChange={(on) =>
                setDraft({
                  ...draft,
                  hours: on ? (saved.hours ?? { weekly: weeklyOf(usualWeek), holidays: [] }) : null
                })
              }
            />
            {hours !== null && (
              <ul>
                {days.map((day) => (
                  <li key={day} className="flex items-start gap-2 border-line py-2 not-last:border-b">
                    <span className="flex min-h-8 w-24 items-center">{t(dayNames[day])}</span>
                    <Spans
                      of={t(dayNames[day])}
                      spans={week[day]}
                      onChange={(spans) => set({ weekly: weeklyOf({ ...week, [day]: spans }) })}
                    />
                    <Button
                      small
                      icon={Plus}
                      label={t("Add hours to {day}", { day: t(dayNames[day]) })}
                      onClick={() =>
                        set({
                          weekly: weeklyOf({ ...week, [day]: [...week[day], { opens: "09:00", closes: "17:00" }] })
                        })
                      }
                    />
                  </li>
                ))}
              </ul>
            )}
          </Card>
          {hours !== null && <Holidays holidays={hours.holidays} onChange={(holidays) => set({ holidays })} />}
          <p className="text-small text-ink-3">
            {t("Outside of them callers hear the disclosure and may leave a voicemail, and no calls are placed.")}
          </p>
        </fieldset>
      </div>
      <SaveBar
        names={names}
        problem={problem}
        busy={busy}
        onUndo={() => {
          setDraft(saved)
          setProblem(undefined)
        }}
        onSave={() => void save()}
      />
    </>
  )
}

export const Hours = () => {
  const session = useSession()
  const { data, error, refetch } = useQuery({
    queryKey: keys.businessHours,
    queryFn: ({ signal }) => parley.businessHours.get({ signal })
  })
  return (
    <>
      <PageHead title={t("Business hours")} />
      {error !== null && data === undefined ? (
        <ErrorBlock error={error} again={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton className="m-6 h-40" />
      ) : (
        <Form
          key={JSON.stringify(data)}
          saved={{ timeZone: data.timeZone ?? "", hours: data.businessHours }}
          mayWrite={isAdmin(session)}
        />
      )}
    </>
  )
}
