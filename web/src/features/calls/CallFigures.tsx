/** The figures of a call: how long the caller waited, who talked, and what it cost. */
import type { CallDetail } from "@parley/client"
import { useSession } from "../../api/session.tsx"
import { isAdmin } from "../../lib/can.ts"
import { money, number, percent, seconds } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { answerMs, medianAnswerMs, medianOf, type Wait } from "./turns.ts"

const Figure = ({
  label,
  children,
  under
}: {
  readonly label: string
  readonly children: React.ReactNode
  readonly under?: string
}) => (
  <div className="border-line px-4 py-2 not-last:border-e md:px-5">
    <dt className="text-small text-ink-3">{label}</dt>
    <dd>
      <b className="num block text-[1rem] leading-6 font-semibold tracking-tight">{children}</b>
      {under !== undefined && <span className="text-label text-ink-3">{under}</span>}
    </dd>
  </div>
)

export const CallFigures = ({
  call,
  waits
}: {
  readonly call: CallDetail
  readonly waits: ReadonlyArray<Wait> | undefined
}) => {
  const session = useSession()
  const measured = call.turns.flatMap((turn) => {
    const ms = answerMs(turn)
    return ms === undefined ? [] : [{ turn: turn.turn, ms }]
  })
  const heard = waits?.map(({ beginMs, endMs }) => endMs - beginMs)
  const isHeard = heard !== undefined && heard.length > 0
  const median = isHeard ? medianOf(heard) : medianAnswerMs(call.turns)
  const slowest = isHeard ? { ms: Math.max(...heard), turn: undefined } : measured.toSorted((a, b) => b.ms - a.ms)[0]
  const ok = call.toolCalls.filter(({ outcome }) => outcome === "ok").length
  return (
    <dl className="grid grid-cols-2 border-b border-line bg-surface md:grid-cols-3 lg:grid-cols-6">
      <Figure
        label={t("Answered in")}
        under={
          isHeard
            ? t("measured on the recording · {n, plural, one {# turn} other {# turns}}", { n: heard.length })
            : t("by the service · {n, plural, one {# turn} other {# turns}}", { n: measured.length })
        }
      >
        {median === undefined ? "—" : seconds(median)}
      </Figure>
      <Figure
        label={t("Slowest")}
        {...(slowest?.turn === undefined ? {} : { under: t("turn {n}", { n: slowest.turn }) })}
      >
        {slowest === undefined ? "—" : seconds(slowest.ms)}
      </Figure>
      <Figure label={t("Interruptions")}>{number(call.interruptions)}</Figure>
      <Figure label={t("Agent talked")} under={t("of all speech")}>
        {call.talkRatio === null ? "—" : percent(call.talkRatio)}
      </Figure>
      <Figure label={t("Tools")}>
        {call.toolCalls.length === 0 ? "—" : `${number(ok)} / ${number(call.toolCalls.length)}`}
      </Figure>
      {isAdmin(session) && (
        <Figure label={t("Billed")} {...(call.cost === null ? {} : { under: money(Number(call.cost.price), "USD") })}>
          {call.cost === null ? (call.test ? t("nothing") : "—") : t("{n} min", { n: call.cost.minutes })}
        </Figure>
      )}
    </dl>
  )
}
