/** What is around every page of operators: a navigation of their own, under a dark edge, so that nobody takes it for an organization's. */
import { Link, Outlet, useNavigate } from "@tanstack/react-router"
import { AudioWaveform, LogOut } from "lucide-react"
import { useEffect } from "react"
import { Button } from "../../components/Button.tsx"
import { Icon } from "../../components/Icon.tsx"
import { ErrorBlock, Skeleton } from "../../components/States.tsx"
import { Toasts } from "../../components/Toasts.tsx"
import { t } from "../../lib/i18n.ts"
import { useTask } from "../../lib/task.ts"
import { LanguageChoice } from "../session/LanguageChoice.tsx"
import { operatorPlaces } from "./places.ts"
import { useOperator } from "./useOperator.ts"

const item =
  "flex h-8 shrink-0 items-center gap-2.5 rounded-md px-2 font-medium whitespace-nowrap text-ink-2 hover:bg-hover aria-[current=page]:bg-selected aria-[current=page]:text-ink pointer-coarse:h-11"

const Frame = ({
  name,
  onSignOut,
  busy
}: {
  readonly name: string
  readonly onSignOut: () => void
  readonly busy: boolean
}) => (
  <div className="flex h-full flex-col border-t-4 border-ink md:flex-row">
    <a
      href="#content"
      className="absolute start-2 top-2 z-50 -translate-y-20 rounded-control bg-accent px-3 py-1.5 text-on-accent focus:translate-y-0"
    >
      {t("Skip to the content")}
    </a>
    <div className="flex shrink-0 flex-col border-line bg-bg max-md:border-b md:w-[208px] md:border-e md:p-2 md:pt-2.5">
      <div className="flex items-center gap-2.5 px-3 py-2 md:px-1.5 md:pt-0 md:pb-3">
        <span className="grid size-[26px] shrink-0 place-items-center rounded-[7px] bg-ink text-bg">
          <Icon of={AudioWaveform} />
        </span>
        <span className="min-w-0 flex-1 leading-4">
          <b className="block font-semibold">Parley</b>
          <span className="text-small text-ink-3">{t("Operator")}</span>
        </span>
        <span className="md:hidden">
          <Button small tone="quiet" icon={LogOut} label={t("Sign out")} disabled={busy} onClick={onSignOut} />
        </span>
      </div>
      <nav
        aria-label={t("Main")}
        className="scroll-thin flex min-h-0 gap-px overflow-x-auto px-2 pb-1.5 md:flex-1 md:flex-col md:overflow-x-visible md:overflow-y-auto md:px-0"
      >
        {operatorPlaces.map(({ to, label, icon }) => (
          <Link key={to} to={to} activeOptions={{ exact: to === "/operator" }} className={item}>
            <Icon of={icon} className="text-ink-3" /> {t(label)}
          </Link>
        ))}
      </nav>
      <div className="hidden flex-col gap-2 pt-2 md:flex">
        <LanguageChoice />
        <div className="flex items-center gap-1 ps-2">
          <bdi className="min-w-0 flex-1 truncate text-ink-2">{name}</bdi>
          <Button small tone="quiet" icon={LogOut} label={t("Sign out")} disabled={busy} onClick={onSignOut} />
        </div>
      </div>
    </div>
    <main id="content" tabIndex={-1} className="flex min-h-0 min-w-0 flex-1 flex-col outline-none">
      <Outlet />
    </main>
    <Toasts />
  </div>
)

export const OperatorFrame = () => {
  const { session, problem, ask, signOut } = useOperator()
  const navigate = useNavigate()
  const task = useTask()
  const signedOut = session === null
  useEffect(() => {
    if (!signedOut) return
    const here = `${location.pathname}${location.search}`
    void navigate({ to: "/operator/sign-in", search: here === "/operator" ? {} : { next: here }, replace: true })
  }, [signedOut, navigate])
  if (session === undefined && problem !== null) return <ErrorBlock error={problem} again={ask} />
  if (session === undefined || session === null) return <Skeleton className="m-4 h-8 w-40" />
  return <Frame name={session.operator.name} busy={task.busy} onSignOut={() => task.run(signOut)} />
}
