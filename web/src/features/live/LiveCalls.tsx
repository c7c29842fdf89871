/** The calls that are under way: those that need somebody first, and one of them opened. */
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { useOrganization } from "../../api/organization.ts"
import { useWatched } from "../../api/watch.ts"
import { buttonClass } from "../../components/Button.tsx"
import { Chip } from "../../components/Chip.tsx"
import { Kbd } from "../../components/Kbd.tsx"
import { PageHead } from "../../components/Page.tsx"
import { Segmented } from "../../components/Segmented.tsx"
import { Empty, ErrorBlock, Skeleton } from "../../components/States.tsx"
import { number } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { useKeys } from "../../lib/keyboard.ts"
import { LiveDetail } from "./LiveDetail.tsx"
import { LiveList } from "./LiveList.tsx"
import { needsMe, ordered } from "./live.ts"
import { useLiveCalls, useSecond } from "./useLiveCalls.ts"

type View = "all" | "needs" | "inbound" | "outbound"

export const LiveCalls = () => {
  const { call: chosen } = useSearch({ from: "/signed-in/live" })
  const navigate = useNavigate()
  const now = useSecond()
  const [view, setView] = useState<View>("all")
  const list = useLiveCalls()
  const organization = useOrganization()
  const all = ordered(list.data ?? [], now)
  const needing = all.filter((call) => needsMe(call, now)).length
  const shown = all.filter(
    (call) => view === "all" || (view === "needs" ? needsMe(call, now) : call.direction === view)
  )
  const open = all.find(({ id }) => id === chosen)
  // The last words of those in sight come live too.
  useWatched(shown.map(({ id }) => id))
  const step = (by: number) => {
    const at = shown.findIndex(({ id }) => id === chosen)
    const next = shown[at < 0 ? (by > 0 ? 0 : shown.length - 1) : Math.max(0, Math.min(shown.length - 1, at + by))]
    if (next !== undefined) void navigate({ to: "/live", search: { call: next.id }, replace: true })
  }
  useKeys({ ArrowDown: () => step(1), ArrowUp: () => step(-1) })
  const lines = organization.data?.limits.concurrentCalls
  return (
    <>
      <PageHead
        title={t("Live calls")}
        beside={
          <>
            <Chip tone={all.length > 0 ? "good" : "plain"}>
              {t("{n, plural, one {# running} other {# running}}", { n: all.length })}
            </Chip>
            {lines !== undefined && (
              <span className="num text-small text-ink-3">{t("of {n} lines", { n: number(lines) })}</span>
            )}
          </>
        }
      >
        <Segmented
          label={t("Calls")}
          value={view}
          options={[
            { value: "all", label: t("All") },
            { value: "needs", label: needing === 0 ? t("Needs me") : `${t("Needs me")} ${number(needing)}` },
            { value: "inbound", label: t("Inbound") },
            { value: "outbound", label: t("Outbound") }
          ]}
          onChange={setView}
        />
      </PageHead>
      <div className="flex min-h-0 flex-1">
        <div className="scroll-thin min-h-0 min-w-0 flex-1 overflow-y-auto p-3 md:p-5">
          {list.error !== null && list.data === undefined ? (
            <ErrorBlock error={list.error} again={() => void list.refetch()} />
          ) : list.data === undefined ? (
            <Skeleton className="h-40" />
          ) : shown.length === 0 ? (
            <Empty
              title={view === "all" ? t("Nobody is on the telephone.") : t("No running call matches.")}
              action={
                <Link to="/calls" className={buttonClass({})}>
                  {t("To the calls")}
                </Link>
              }
            >
              {view === "all" && t("Calls appear here as soon as they begin.")}
            </Empty>
          ) : (
            <>
              <LiveList calls={shown} chosen={chosen} now={now} />
              <p className="mt-2 text-small text-ink-3 pointer-coarse:hidden">
                <Kbd>↑</Kbd> <Kbd>↓</Kbd> {t("choose a call")} · <Kbd>L</Kbd> {t("listen")} · <Kbd>W</Kbd>{" "}
                {t("whisper")} · <Kbd>S</Kbd> {t("say this now")} · <Kbd>O</Kbd> {t("take over")} · <Kbd>T</Kbd>{" "}
                {t("hand to a human")} · <Kbd>X</Kbd> <Kbd>X</Kbd> {t("end")}
              </p>
            </>
          )}
        </div>
        {open !== undefined && <LiveDetail key={open.id} call={open} now={now} />}
        {open === undefined && chosen !== undefined && list.data !== undefined && (
          <section
            aria-label={t("This call is over.")}
            className="flex flex-col border-line bg-surface p-4 max-lg:fixed max-lg:inset-x-0 max-lg:bottom-14 max-lg:border-t lg:w-[404px] lg:border-s"
          >
            <p className="mb-2 font-medium">{t("This call is over.")}</p>
            <Link to="/calls/$id" params={{ id: chosen }} className={buttonClass({})}>
              {t("Open the call")}
            </Link>
          </section>
        )}
      </div>
    </>
  )
}
