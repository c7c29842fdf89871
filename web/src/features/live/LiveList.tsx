/** The running calls: rows of a table, and cards on a telephone. */
import type { LiveCall } from "@parley/client"
import { Link } from "@tanstack/react-router"
import { PhoneIncoming, PhoneOutgoing, TriangleAlert } from "lucide-react"
import { useNamer } from "../../api/people.ts"
import { Chip } from "../../components/Chip.tsx"
import { Icon } from "../../components/Icon.tsx"
import { cx } from "../../lib/classes.ts"
import { length, phone, seconds } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { activityLook } from "../calls/activity.ts"
import { medianAnswerMs } from "../calls/turns.ts"
import { needsMe } from "./live.ts"

export const numberOf = ({ direction, from, to, test }: LiveCall): string =>
  test ? t("Test call") : phone(direction === "inbound" ? from : to)

/** How long it has been running, in seconds. */
export const ageOf = ({ startedAt, createdAt }: LiveCall, now: number): number =>
  (now - Date.parse(startedAt ?? createdAt)) / 1000

export const StateChip = ({ call, now }: { readonly call: LiveCall; readonly now: number }) => {
  const { label, tone, icon } = activityLook(call.state)
  const lastsSeconds = Math.floor((now - Date.parse(call.since)) / 1000)
  const told = call.state === "waiting" || (call.state === "silence" && lastsSeconds >= 4)
  return (
    <Chip tone={needsMe(call, now) ? "warn" : tone} icon={icon}>
      {t(label)}
      {told && ` ${length(lastsSeconds)}`}
    </Chip>
  )
}

export const LiveList = ({
  calls,
  chosen,
  now
}: {
  readonly calls: ReadonlyArray<LiveCall>
  readonly chosen: string | undefined
  readonly now: number
}) => {
  const nameOf = useNamer()
  return (
    <ul aria-label={t("Running calls")} className="overflow-hidden rounded-card border border-line bg-surface">
      {calls.map((call) => {
        const { id, agentId, direction, turns, lastWords } = call
        const words = lastWords.at(-1)
        const answered = medianAnswerMs(turns)
        return (
          <li key={id} className="border-line not-last:border-b">
            <Link
              to="/live"
              search={{ call: id }}
              replace
              className={cx(
                "grid min-h-14 items-center gap-x-3 gap-y-1 border-s-[3px] px-4 py-2 hover:bg-hover",
                id === chosen ? "border-accent bg-selected" : "border-transparent",
                "grid-cols-[minmax(0,1fr)_auto] md:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)_minmax(0,1.4fr)_auto_auto]"
              )}
            >
              <span className="flex min-w-0 items-center gap-2.5">
                <Icon of={direction === "inbound" ? PhoneIncoming : PhoneOutgoing} className="text-ink-3" />
                <span className="sr-only">{direction === "inbound" ? t("Inbound") : t("Outbound")}</span>
                <span className="min-w-0">
                  <b className="num block truncate font-semibold">{numberOf(call)}</b>
                  <span className="block truncate text-small text-ink-3" dir="auto">
                    {agentId === null ? t("no agent") : nameOf(agentId).name}
                  </span>
                </span>
              </span>
              <span className="flex min-w-0 items-center gap-1.5 justify-self-end md:justify-self-start">
                <StateChip call={call} now={now} />
                {needsMe(call, now) && (
                  <>
                    <Icon of={TriangleAlert} size={14} className="text-warn" />
                    <span className="sr-only">{t("Needs me")}</span>
                  </>
                )}
              </span>
              <span className="col-span-2 min-w-0 truncate text-ink-2 md:col-span-1" dir="auto">
                {words === undefined ? "" : `“${words.text}”`}
              </span>
              <span className="num hidden w-14 text-end text-ink-2 md:block">
                {answered === undefined ? "—" : seconds(answered)}
              </span>
              <b className="num hidden w-12 text-end font-semibold md:block">{length(ageOf(call, now))}</b>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
