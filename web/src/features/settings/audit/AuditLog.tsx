/** Who changed what in the organization, from where, with the values before and after. */
import type { AuditEntry } from "@parley/client"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { parley } from "../../../api/client.ts"
import { keys } from "../../../api/keys.ts"
import { useNumbered } from "../../../api/numbered.ts"
import { useNamer, usePeople } from "../../../api/people.ts"
import { Diff } from "../../../components/Diff.tsx"
import { SearchInput } from "../../../components/Field.tsx"
import { FilteredList } from "../../../components/FilteredList.tsx"
import { PageHead } from "../../../components/Page.tsx"
import { moment, timeZone } from "../../../lib/format.ts"
import { t } from "../../../lib/i18n.ts"
import { momentOf } from "../../../lib/zone.ts"
import { Facts } from "../parts/Facts.tsx"
import { patternsFor, wordsOf } from "./actionWords.ts"
import { FilterBar, FilterDay, FilterSelect } from "./FilterBar.tsx"

const from = "/signed-in/settings-frame/settings/audit"
const dayMs = 86_400_000

/** When a day begins in the organization's time zone, or ends. */
const beginOf = (day: string | undefined, after = 0): string | undefined => {
  if (day === undefined) return undefined
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + after * dayMs).toISOString().slice(0, 10)
  const at = momentOf(timeZone(), `${next}T00:00`)
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}

const written = (value: AuditEntry["before"]): string => (value === null ? "" : JSON.stringify(value, null, 2))

const Entry = ({ entry }: { readonly entry: AuditEntry }) => {
  const nameOf = useNamer()
  const { action, subjectId, actor, before, after, details, ip, requestId, createdAt } = entry
  const who =
    actor.type === "operator"
      ? t("the operator")
      : actor.type === "system"
        ? t("the service itself")
        : nameOf(actor.id ?? "").name
  return (
    <li className="border-b border-line">
      <details>
        <summary className="flex min-h-10 cursor-pointer flex-wrap items-center gap-x-3 gap-y-0.5 px-4 py-1.5 hover:bg-hover focus-visible:outline-offset-[-2px] md:px-5 pointer-coarse:min-h-11">
          <span className="min-w-0 flex-1 basis-48 truncate font-medium">
            {wordsOf(action)
              ?.map((word) => t(word))
              .join(": ") ?? action}
          </span>
          <bdi className="min-w-0 basis-32 truncate text-ink-2">{who}</bdi>
          <time dateTime={createdAt} className="num text-small text-ink-3">
            {moment(createdAt)}
          </time>
        </summary>
        <div className="flex flex-col gap-2.5 px-4 pb-3 md:px-5">
          <Facts
            of={[
              [
                t("Action"),
                <code key="action" className="text-small">
                  {action}
                </code>
              ],
              [
                t("About"),
                <code key="subject" className="text-small">
                  {subjectId}
                </code>
              ],
              ...(ip === null ? [] : [[t("From address"), ip] as const]),
              ...(requestId === null ? [] : [[t("Request"), requestId] as const]),
              ...Object.entries(details).map(([name, value]) => [name, JSON.stringify(value)] as const)
            ]}
          />
          {(before !== null || after !== null) && <Diff before={written(before)} after={written(after)} />}
        </div>
      </details>
    </li>
  )
}

export const AuditLog = () => {
  const search = useSearch({ from })
  const navigate = useNavigate()
  const people = usePeople()
  const query = {
    action: search.action === undefined ? undefined : patternsFor(search.action, t),
    actorId: search.actor,
    from: beginOf(search.from),
    to: beginOf(search.to, 1)
  }
  const list = useNumbered({
    queryKey: keys.auditLog(query),
    read: (at, signal) => parley.auditLog.list({ ...at, ...query }, { signal })
  })
  const set = (changes: { readonly [Name in keyof typeof search]?: string | undefined }) =>
    void navigate({ to: "/settings/audit", search: { ...search, ...changes } as typeof search, replace: true })
  const filtered = Object.keys(search).length > 0
  return (
    <>
      <PageHead title={t("Audit log")} />
      <FilterBar>
        <SearchInput
          label={t("Action")}
          placeholder={t("Action, e.g. {name}", { name: `${t("Contact")}: ${t("erased")}` })}
          value={search.action ?? ""}
          onSearch={(action) => set({ action: action === "" ? undefined : action })}
        />
        <FilterSelect
          label={t("Who")}
          all={t("Everybody")}
          value={search.actor}
          options={people.filter(({ who }) => who === "human").map(({ id, name }) => [id, name])}
          onChoose={(actor) => set({ actor })}
        />
        <FilterDay label={t("From")} value={search.from} onChoose={(day) => set({ from: day })} />
        <FilterDay label={t("To")} value={search.to} onChoose={(day) => set({ to: day })} />
      </FilterBar>
      <FilteredList
        label={t("Audit log")}
        list={list}
        filtered={filtered}
        noneMatches={t("No entry matches.")}
        none={t("Nothing was changed yet.")}
        onClear={() => void navigate({ to: "/settings/audit", search: {} })}
      >
        {(entry) => <Entry key={entry.id} entry={entry} />}
      </FilteredList>
    </>
  )
}
