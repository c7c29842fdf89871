/** What is around every page of the settings: the list of sections beside it. A telephone has the list at `/settings` and a way back to it. */
import { Link, Outlet, useRouterState } from "@tanstack/react-router"
import { ArrowLeft } from "lucide-react"
import { useSession } from "../../api/session.tsx"
import { Icon } from "../../components/Icon.tsx"
import { Empty } from "../../components/States.tsx"
import { t } from "../../lib/i18n.ts"
import { maySee, sectionsFor } from "./sections.ts"

const item =
  "flex h-8 items-center gap-2.5 rounded-md px-2 text-ink-2 hover:bg-hover aria-[current=page]:bg-selected aria-[current=page]:font-medium aria-[current=page]:text-ink pointer-coarse:h-11"

export const SettingsFrame = () => {
  const session = useSession()
  // Of the page that is shown. The address is that of the next page while that is on its way.
  const path = useRouterState({ select: ({ matches }) => matches.at(-1)?.pathname }) ?? ""
  if (path === "/settings") return <Outlet />
  return (
    <div className="flex min-h-0 flex-1 flex-col lg:flex-row">
      <nav
        aria-label={t("Settings")}
        className="scroll-thin hidden w-[208px] shrink-0 flex-col gap-px overflow-y-auto border-e border-line bg-bg p-2 pt-3 lg:flex"
      >
        <p className="px-2 pb-2 font-semibold">{t("Settings")}</p>
        {sectionsFor(session).map(({ to, label, icon }) => (
          <Link key={to} to={to} className={item}>
            <Icon of={icon} className="text-ink-3" /> <span className="truncate">{t(label)}</span>
          </Link>
        ))}
      </nav>
      <Link
        to="/settings"
        className="flex h-9 shrink-0 items-center gap-1.5 border-b border-line bg-bg px-4 text-small text-ink-2 lg:hidden pointer-coarse:h-11"
      >
        <Icon of={ArrowLeft} size={14} className="rtl:-scale-x-100" /> {t("Settings")}
      </Link>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        {maySee(session, path) ? (
          <Outlet />
        ) : (
          <Empty title={t("Only owners and admins see this.")}>{t("Ask one of them for what you need.")}</Empty>
        )}
      </div>
    </div>
  )
}
