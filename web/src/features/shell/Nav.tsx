/** The navigation: 208 px with names, or a rail of 56 px; on a telephone a bar of tabs at the bottom. */
import { Link } from "@tanstack/react-router"
import { AudioWaveform, CircleUser, type LucideIcon, Menu, Search, Settings } from "lucide-react"
import { useState } from "react"
import { useSession } from "../../api/session.tsx"
import { useConnection } from "../../api/stream.ts"
import { Avatar } from "../../components/Avatar.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { Icon } from "../../components/Icon.tsx"
import { Kbd } from "../../components/Kbd.tsx"
import { cx } from "../../lib/classes.ts"
import { clock } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { sectionsFor } from "../settings/sections.ts"
import { useGroups, usePlaces } from "./places.ts"

const item = (wide: boolean) =>
  cx(
    "flex items-center rounded-md font-medium text-ink-2 hover:bg-hover aria-[current=page]:bg-selected aria-[current=page]:text-ink",
    "[&[aria-current=page]_svg]:text-accent",
    wide ? "h-7 gap-2.5 px-2" : "h-[34px] w-[38px] justify-center"
  )

/** Whether what is shown is up to date, in a word and as a dot. */
export const ConnectionDot = ({ words = false }: { readonly words?: boolean }) => {
  const connection = useConnection()
  const offline = connection.state === "offline"
  const text =
    connection.state === "live"
      ? t("Up to date")
      : offline
        ? t("Offline since {time}", { time: clock(new Date(connection.since).toISOString()) })
        : t("Connecting")
  return (
    <span role="status" className="inline-flex items-center gap-1.5 text-small" title={text}>
      <span
        aria-hidden="true"
        className={cx(
          "size-2 rounded-full",
          connection.state === "live" ? "bg-good" : offline ? "rounded-[2px] bg-warn" : "bg-line-strong"
        )}
      />
      <span className={words || offline ? "text-ink-2" : "sr-only"}>{text}</span>
    </span>
  )
}

const PlaceLink = ({
  to,
  label,
  icon,
  wide
}: {
  readonly to: ReturnType<typeof usePlaces>[number]["to"] | "/settings"
  readonly label: string
  readonly icon: LucideIcon
  readonly wide: boolean
}) => (
  <Link to={to} className={item(wide)} {...(wide ? {} : { "aria-label": label, title: label })}>
    <Icon of={icon} />
    {wide && <span className="truncate">{label}</span>}
  </Link>
)

export const Nav = ({ wide, onSearch }: { readonly wide: boolean; readonly onSearch: () => void }) => {
  const session = useSession()
  const groups = useGroups()
  return (
    <nav
      aria-label={t("Main")}
      className={cx(
        "hidden shrink-0 flex-col gap-px border-e border-line bg-bg p-2 pt-2.5 md:flex",
        wide ? "w-[208px]" : "w-14 items-center"
      )}
    >
      <div className={cx("flex items-center gap-2.5 pb-3", wide && "px-1.5")}>
        <span className="grid size-[26px] place-items-center rounded-[7px] bg-accent text-on-accent">
          <Icon of={AudioWaveform} />
        </span>
        {wide && <span className="truncate font-semibold">Parley</span>}
      </div>
      <button
        type="button"
        onClick={onSearch}
        {...(wide ? {} : { "aria-label": t("Search and commands") })}
        className={cx(item(wide), "mb-1")}
      >
        <Icon of={Search} />
        {wide && (
          <>
            <span className="flex-1 text-start">{t("Search")}</span>
            <Kbd>Ctrl K</Kbd>
          </>
        )}
      </button>
      <div className={cx("scroll-thin flex min-h-0 flex-1 flex-col gap-px overflow-y-auto", !wide && "items-center")}>
        {groups.map(({ name, places }) => (
          <ul
            key={name ?? ""}
            aria-label={name === undefined ? undefined : t(name)}
            className={cx("flex flex-col gap-px", name !== undefined && "mt-2 border-t border-line pt-2")}
          >
            {name !== undefined && wide && (
              <li aria-hidden="true" className="px-2 pb-1 text-label font-medium text-ink-3">
                {t(name)}
              </li>
            )}
            {places.map(({ to, label, icon }) => (
              <li key={to}>
                <PlaceLink to={to} label={t(label)} icon={icon} wide={wide} />
              </li>
            ))}
          </ul>
        ))}
      </div>
      {sectionsFor(session).length > 0 && (
        <PlaceLink to="/settings" label={t("Settings")} icon={Settings} wide={wide} />
      )}
      <div className={cx("mt-1 flex items-center gap-1", wide ? "pe-2" : "flex-col")}>
        <Link to="/you" title={t("Your settings")} className={cx(item(wide), wide && "min-w-0 flex-1")}>
          <Avatar name={session.user.name} who="human" size="s" />
          <span className={wide ? "truncate" : "sr-only"}>{session.user.name}</span>
          <span className="sr-only">{t("Your settings")}</span>
        </Link>
        <ConnectionDot />
      </div>
    </nav>
  )
}

/** The places that the bar of a telephone has no room for. */
const More = ({ onClose }: { readonly onClose: () => void }) => {
  const session = useSession()
  const places = usePlaces()
  const item = "flex min-h-11 items-center gap-3 rounded-md px-2 font-medium aria-[current=page]:bg-selected"
  return (
    <Dialog side title={t("More")} onClose={onClose}>
      <nav aria-label={t("More")} className="flex flex-col gap-1">
        {places
          .filter(({ bar }) => bar !== true)
          .map(({ to, label, icon }) => (
            <Link key={to} to={to} onClick={onClose} className={item}>
              <Icon of={icon} size={20} className="text-ink-3" /> {t(label)}
            </Link>
          ))}
        {sectionsFor(session).length > 0 && (
          <Link to="/settings" onClick={onClose} className={item}>
            <Icon of={Settings} size={20} className="text-ink-3" /> {t("Settings")}
          </Link>
        )}
        <Link to="/you" onClick={onClose} className={item}>
          <Icon of={CircleUser} size={20} className="text-ink-3" /> {t("Your settings")}
        </Link>
      </nav>
    </Dialog>
  )
}

export const TabBar = () => {
  const places = usePlaces()
  const [more, setMore] = useState(false)
  const tab =
    "flex min-w-0 flex-1 flex-col items-center justify-center gap-0.5 text-label font-medium text-ink-3 aria-[current=page]:text-accent"
  return (
    <nav
      aria-label={t("Main")}
      className="flex h-[57px] shrink-0 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {places
        .filter(({ bar }) => bar === true)
        .map(({ to, label, icon }) => (
          <Link key={to} to={to} className={tab}>
            <Icon of={icon} size={20} />
            <span className="max-w-full truncate">{t(label)}</span>
          </Link>
        ))}
      <button type="button" aria-haspopup="dialog" onClick={() => setMore(true)} className={tab}>
        <Icon of={Menu} size={20} />
        <span className="max-w-full truncate">{t("More")}</span>
      </button>
      {more && <More onClose={() => setMore(false)} />}
    </nav>
  )
}
