/** What happened to the installation, newest first: what operators did and why, and what nodes and providers did by themselves. */
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { keys } from "../../api/keys.ts"
import { useNumbered } from "../../api/numbered.ts"
import { operator } from "../../api/operator.ts"
import type { InstallationEvent } from "../../api/operators/types.ts"
import { Button } from "../../components/Button.tsx"
import { Listed } from "../../components/Listed.tsx"
import { PageHead } from "../../components/Page.tsx"
import { Empty } from "../../components/States.tsx"
import { moment } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { FilterBar, FilterSelect } from "../settings/audit/FilterBar.tsx"
import { aboutEvent, changesOf, eventNames, eventTypes } from "./words.ts"

const whoOf = ({ actor: { type, name } }: InstallationEvent): string =>
  name ?? (type === "operator" ? t("the command line") : t("the service itself"))

export const EventRow = ({ event }: { readonly event: InstallationEvent }) => {
  const { type, reason, createdAt, organizationId, ip } = event
  const [about, changes] = [aboutEvent(event), changesOf(event)]
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 px-4 py-2 not-last:border-b not-last:border-line md:px-5">
      <span className="min-w-0 flex-1 basis-64">
        <span className="font-medium">{t(eventNames[type])}</span>{" "}
        {organizationId === null ? (
          about !== undefined && <bdi className="font-mono text-small text-ink-3">{about}</bdi>
        ) : (
          <Link
            to="/operator/organizations/$id"
            params={{ id: organizationId }}
            className="font-mono text-small text-accent underline"
          >
            {organizationId}
          </Link>
        )}
        {changes !== "" && <span className="block font-mono text-small text-ink-2">{changes}</span>}
        {reason !== null && <bdi className="block text-ink-2">“{reason}”</bdi>}
      </span>
      <bdi className="text-ink-2" title={ip ?? undefined}>
        {whoOf(event)}
      </bdi>
      <time dateTime={createdAt} className="num text-small text-ink-3">
        {moment(createdAt)}
      </time>
    </li>
  )
}

/** The events of one organization, or of all. */
export const EventList = ({
  filter,
  empty
}: {
  readonly filter: Parameters<typeof operator.operatorEvents.list>[0] & object
  readonly empty: string
}) => {
  const list = useNumbered({
    queryKey: keys.installationEvents(filter),
    read: (at, signal) => operator.operatorEvents.list({ ...at, ...filter }, { signal })
  })
  return (
    <Listed list={list} empty={<Empty title={empty} />}>
      {(all) => (
        <ul aria-label={t("Events")}>
          {all.map((event) => (
            <EventRow key={event.id} event={event} />
          ))}
        </ul>
      )}
    </Listed>
  )
}

export const Events = () => {
  const search = useSearch({ from: "/operator-frame/operator/events" })
  const type = eventTypes.find((one) => one === search.type)
  const navigate = useNavigate()
  const choose = (next: string | undefined) =>
    void navigate({
      to: "/operator/events",
      search: next === undefined ? {} : { type: next },
      replace: true
    })
  return (
    <>
      <PageHead title={t("Events")} />
      <FilterBar>
        <FilterSelect
          label={t("What happened")}
          all={t("Everything")}
          value={type}
          options={eventTypes.map((one) => [one, t(eventNames[one])])}
          onChoose={choose}
        />
        {type !== undefined && (
          <Button small tone="quiet" onClick={() => choose(undefined)}>
            {t("Clear the filter")}
          </Button>
        )}
      </FilterBar>
      <div className="scroll-thin min-h-0 flex-1 overflow-y-auto bg-surface">
        <EventList
          filter={type === undefined ? {} : { type }}
          empty={type === undefined ? t("Nothing has happened yet.") : t("No event matches.")}
        />
      </div>
    </>
  )
}
