/** The views of the inbox with how many conversations each has, and what narrows a view down. All of it is in the address. */
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { ListFilter, X } from "lucide-react"
import { useState } from "react"
import { type View, viewNames } from "../../api/patch.ts"
import { useNamer, usePeople } from "../../api/people.ts"
import { Avatar } from "../../components/Avatar.tsx"
import { Button } from "../../components/Button.tsx"
import { SearchInput } from "../../components/Field.tsx"
import { Icon } from "../../components/Icon.tsx"
import { type Choice, Picker } from "../../components/Picker.tsx"
import { cx } from "../../lib/classes.ts"
import { number } from "../../lib/format.ts"
import { message, t } from "../../lib/i18n.ts"
import { channelName } from "../../lib/words.ts"
import { useCounts } from "./useConversations.ts"

const names: Readonly<Record<View["name"], string>> = {
  open: message("Open"),
  mine: message("Mine"),
  unassigned: message("Unassigned"),
  unread: message("Unread"),
  overdue: message("Overdue"),
  snoozed: message("Snoozed"),
  resolved: message("Resolved")
}

/** Beyond it the service does not count. */
const mostCounted = 10_000

export const useView = (): View => {
  const { view = "open", channel, label, assignee, search } = useSearch({ from: "/signed-in/inbox" })
  return { name: view, channel, label, assignee, search }
}

/** How many conversations a view has, of all channels. */
export const useCountOf = () => {
  const counts = useCounts()
  return (name: View["name"]): number | undefined => {
    if (counts === undefined) return undefined
    if (name === "open") return counts.open + counts.assigned
    return name === "unassigned" ? counts.open : counts[name]
  }
}

export const countText = (count: number): string =>
  count >= mostCounted ? t("{n}+", { n: number(mostCounted) }) : number(count)

export const ViewTabs = () => {
  const view = useView()
  const countOf = useCountOf()
  return (
    <nav aria-label={t("Views")} className="scroll-thin mt-1.5 flex gap-1 pb-0.5 max-md:overflow-x-auto md:flex-wrap">
      {viewNames.map((name) => {
        const count = countOf(name)
        const chosen = view.name === name
        const urgent = name === "overdue" && (count ?? 0) > 0
        return (
          <Link
            key={name}
            to="/inbox"
            search={({ c: _, view: __, ...rest }) => (name === "open" ? rest : { ...rest, view: name })}
            activeOptions={{ exact: true }}
            aria-current={chosen ? "page" : undefined}
            className={cx(
              "flex h-6 shrink-0 items-center gap-1.5 rounded-md border px-2 text-small font-medium pointer-coarse:h-9 pointer-coarse:px-3",
              chosen ? "border-transparent bg-selected text-ink" : "border-line hover:bg-hover",
              !chosen && (urgent ? "text-danger" : "text-ink-2")
            )}
          >
            {t(names[name])}
            {count !== undefined && count > 0 && (
              <span className={cx("num", urgent ? "text-danger" : "text-ink-3")}>{countText(count)}</span>
            )}
          </Link>
        )
      })}
    </nav>
  )
}

/** The field that finds conversations by the contact's name or number. */
export const SearchField = () => {
  const { search = "" } = useSearch({ from: "/signed-in/inbox" })
  const navigate = useNavigate()
  return (
    <SearchInput
      label={t("Search conversations")}
      placeholder={t("Name or number")}
      value={search}
      onSearch={(wanted) =>
        void navigate({
          to: "/inbox",
          search: ({ search: _, ...rest }) => (wanted === "" ? rest : { ...rest, search: wanted }),
          replace: true
        })
      }
    />
  )
}

/** The button that narrows the view down by channel, person or label. `labels`: those of the conversations that are loaded. */
export const FilterButton = ({ labels }: { readonly labels: ReadonlyArray<string> }) => {
  const [opened, setOpened] = useState(false)
  const navigate = useNavigate()
  const people = usePeople()
  const narrow = (by: { channel?: NonNullable<View["channel"]>; label?: string; assignee?: string }) =>
    void navigate({ to: "/inbox", search: ({ c: _, ...rest }) => ({ ...rest, ...by }), replace: true })
  const choices: ReadonlyArray<Choice> = [
    ...(["messaging", "voice", "team_chat"] as const).map((channel) => ({
      id: channel,
      label: channelName(channel),
      group: t("Channel"),
      run: () => narrow({ channel })
    })),
    ...labels.map((label) => ({ id: `label-${label}`, label, group: t("Labels"), run: () => narrow({ label }) })),
    ...people.map(({ id, name, who }) => ({
      id,
      label: name,
      group: t("Assigned to"),
      sign: <Avatar name={name} who={who} size="s" />,
      run: () => narrow({ assignee: id })
    }))
  ]
  return (
    <>
      <Button tone="quiet" icon={ListFilter} label={t("Filter")} onClick={() => setOpened(true)} />
      {opened && (
        <Picker
          title={t("Filter")}
          placeholder={t("Channel, label or person")}
          choices={choices}
          fallback={(label) => ({
            id: "label",
            label: t("Label {label}", { label }),
            run: () => narrow({ label: label.slice(0, 64) })
          })}
          onClose={() => setOpened(false)}
        />
      )}
    </>
  )
}

/** What narrows the view down, each to take away. */
export const ActiveFilters = () => {
  const { channel, label, assignee } = useView()
  const nameOf = useNamer()
  const navigate = useNavigate()
  const shown: ReadonlyArray<readonly ["channel" | "label" | "assignee", string]> = [
    ...(channel === undefined ? [] : [["channel", channelName(channel)] as const]),
    ...(label === undefined ? [] : [["label", t("Label {label}", { label })] as const]),
    ...(assignee === undefined ? [] : [["assignee", nameOf(assignee).name] as const])
  ]
  if (shown.length === 0) return null
  return (
    <ul aria-label={t("Filters")} className="mt-1.5 flex flex-wrap gap-1">
      {shown.map(([field, text]) => (
        <li
          key={field}
          className="inline-flex min-h-6 max-w-full items-center rounded-[12px] bg-accent-soft ps-2.5 text-small text-accent"
        >
          <span className="truncate">{text}</span>
          <button
            type="button"
            aria-label={t("Take the filter {name} away", { name: text })}
            onClick={() => void navigate({ to: "/inbox", search: ({ [field]: _, ...rest }) => rest, replace: true })}
            className="grid size-6 shrink-0 place-items-center rounded-full hover:text-danger pointer-coarse:size-9"
          >
            <Icon of={X} size={12} />
          </button>
        </li>
      ))}
    </ul>
  )
}
