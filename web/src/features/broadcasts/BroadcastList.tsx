/** The broadcasts of the organization, the newest first. */
import type { Broadcast } from "@parley/client"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { Plus } from "lucide-react"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { useCursored } from "../../api/cursored.ts"
import { keys } from "../../api/keys.ts"
import { useOrganization } from "../../api/organization.ts"
import { useSession } from "../../api/session.tsx"
import { Button } from "../../components/Button.tsx"
import { Chip } from "../../components/Chip.tsx"
import { PageHead } from "../../components/Page.tsx"
import { Empty, ErrorBlock, ListSkeleton, ShowMore } from "../../components/States.tsx"
import { isAdmin } from "../../lib/can.ts"
import { moment, number, shortDate } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { NewBroadcast } from "./NewBroadcast.tsx"
import { Progress } from "./Progress.tsx"
import { broadcastStates, stateOf } from "./words.ts"

const pageSize = 50

const Row = ({ broadcast }: { readonly broadcast: Broadcast }) => {
  const { id, name, status, templateName, counts, scheduledAt, startedAt, createdAt } = broadcast
  const { name: state, tone } = stateOf(status)
  return (
    <li>
      <Link
        to="/broadcasts/$id"
        params={{ id }}
        className="flex flex-wrap items-center gap-x-4 gap-y-1.5 border-b border-line px-4 py-2.5 hover:bg-hover focus-visible:outline-offset-[-2px] md:px-5"
      >
        <span className="min-w-0 flex-1 basis-56">
          <bdi className="block truncate font-medium">{name}</bdi>
          <span className="block truncate text-small text-ink-3">{templateName}</span>
        </span>
        <Chip tone={tone}>{state}</Chip>
        <span className={`w-40 shrink-0 ${counts.total === 0 && status !== "scheduled" ? "max-md:hidden" : ""}`}>
          {counts.total > 0 ? (
            <>
              <Progress counts={counts} />
              <span className="num mt-1 block text-small text-ink-3">
                {t("{count, plural, one {# recipient} other {# recipients}}", { count: counts.total })}
              </span>
            </>
          ) : (
            scheduledAt !== null &&
            status === "scheduled" && <span className="num text-small text-ink-3">{moment(scheduledAt)}</span>
          )}
        </span>
        <time dateTime={startedAt ?? createdAt} className="num w-20 text-end text-small text-ink-3">
          {shortDate(startedAt ?? createdAt)}
        </time>
      </Link>
    </li>
  )
}

export const BroadcastList = () => {
  const { status } = useSearch({ from: "/signed-in/broadcasts" })
  const navigate = useNavigate()
  const admin = isAdmin(useSession())
  const [creating, setCreating] = useState(false)
  const filter = { status, limit: pageSize }
  const list = useCursored({
    queryKey: keys.broadcasts(filter),
    read: (cursor, signal) => parley.broadcasts.list({ ...filter, cursor }, { signal })
  })
  const organization = useOrganization()
  const feature = organization.data?.features.find(({ id }) => id === "broadcasts")
  const { all, total } = list
  return (
    <>
      <PageHead
        title={t("Broadcasts")}
        beside={total !== undefined && <span className="num text-ink-3">{number(total)}</span>}
      >
        <select
          aria-label={t("State")}
          value={status ?? ""}
          onChange={(event) => {
            const chosen = broadcastStates.find((one) => one === event.target.value)
            void navigate({ to: "/broadcasts", search: chosen === undefined ? {} : { status: chosen } })
          }}
          className="h-8 rounded-control border border-line bg-surface px-2 pointer-coarse:h-11"
        >
          <option value="">{t("All states")}</option>
          {broadcastStates.map((one) => (
            <option key={one} value={one}>
              {stateOf(one).name}
            </option>
          ))}
        </select>
        {admin && feature?.available === true && (
          <Button tone="primary" icon={Plus} onClick={() => setCreating(true)}>
            {t("New broadcast")}
          </Button>
        )}
      </PageHead>
      {feature?.available === false && (
        <p className="border-b border-line bg-warn-soft px-4 py-2 text-warn md:px-5">{feature.reason}</p>
      )}
      <div className="scroll-thin min-h-0 flex-1 overflow-y-auto bg-surface">
        {list.error !== null && all.length === 0 ? (
          <ErrorBlock error={list.error} again={() => void list.refetch()} />
        ) : list.isPending ? (
          <ListSkeleton />
        ) : all.length === 0 ? (
          status === undefined ? (
            <Empty title={t("No broadcasts yet.")}>
              {t("A broadcast sends one template to many contacts, each with their own name in it.")}
            </Empty>
          ) : (
            <Empty
              title={t("No broadcast matches.")}
              action={
                <Button onClick={() => void navigate({ to: "/broadcasts", search: {} })}>
                  {t("Clear the filter")}
                </Button>
              }
            />
          )
        ) : (
          <>
            <ul aria-label={t("Broadcasts")}>
              {all.map((broadcast) => (
                <Row key={broadcast.id} broadcast={broadcast} />
              ))}
            </ul>
            <ShowMore list={list} />
          </>
        )}
      </div>
      {creating && (
        <NewBroadcast
          onClose={() => setCreating(false)}
          onCreated={(id) => void navigate({ to: "/broadcasts/$id", params: { id } })}
        />
      )}
    </>
  )
}
