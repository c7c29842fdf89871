/** The calls of all agents, the newest first, by direction, agent, end, slow answers and days. */
import type { Call, CallsListQuery } from "@parley/client"
import { useInfiniteQuery } from "@tanstack/react-query"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { PhoneIncoming, PhoneOutgoing } from "lucide-react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { useVoiceAgents } from "../../api/people.ts"
import { Button } from "../../components/Button.tsx"
import { Chip } from "../../components/Chip.tsx"
import { Icon } from "../../components/Icon.tsx"
import { PageHead } from "../../components/Page.tsx"
import { Empty, ErrorBlock, ListSkeleton, ShowMore } from "../../components/States.tsx"
import { length, moment, number, phone, seconds } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { callState, endName, endReasons } from "../../lib/words.ts"
import { callTone } from "../thread/CallCard.tsx"
import { medianAnswerMs } from "./turns.ts"

const pageSize = 50
const control = "h-8 max-w-full rounded-control border border-line bg-surface px-2 text-small pointer-coarse:h-11"

/** Answers that are slower than so many milliseconds can be asked for. */
const slowness = [1_200, 2_000, 3_000]

const Row = ({
  call,
  agent,
  slow
}: {
  readonly call: Call
  readonly agent: string | undefined
  /** The call opens at its first answer that took longer. */
  readonly slow: number | undefined
}) => {
  const { id, direction, from, to, startedAt, createdAt, durationSeconds, endReason, status } = call
  const inbound = direction === "inbound"
  const answered = medianAnswerMs(call.turns)
  return (
    <tr className="border-b border-line hover:bg-hover">
      <th scope="row" className="px-4 py-2 text-start font-medium md:px-5">
        <Link
          to="/calls/$id"
          params={{ id }}
          search={slow === undefined ? {} : { slow }}
          className="flex min-h-6 items-center gap-2 pointer-coarse:min-h-11"
        >
          <Icon of={inbound ? PhoneIncoming : PhoneOutgoing} className="text-ink-3" />
          <span className="sr-only">{inbound ? t("Inbound") : t("Outbound")}</span>
          <span className="num whitespace-nowrap">{phone(inbound ? from : to)}</span>
        </Link>
      </th>
      <td className="hidden px-3 py-2 text-ink-2 md:table-cell">
        <bdi>{agent}</bdi>
      </td>
      <td className="px-3 py-2">
        <Chip tone={callTone(call)}>{endReason === null ? callState(status) : endName(endReason)}</Chip>
      </td>
      <td className="num hidden px-3 py-2 text-end text-ink-2 lg:table-cell">
        {answered === undefined ? "—" : seconds(answered)}
      </td>
      <td className="num px-3 py-2 text-end whitespace-nowrap">
        {durationSeconds === null ? "—" : length(durationSeconds)}
      </td>
      <td className="num hidden px-5 py-2 text-end whitespace-nowrap text-ink-3 md:table-cell">
        {moment(startedAt ?? createdAt)}
      </td>
    </tr>
  )
}

export const CallList = () => {
  const search = useSearch({ from: "/signed-in/calls" })
  const navigate = useNavigate()
  const agents = useVoiceAgents()
  const filter: CallsListQuery = {
    limit: pageSize,
    direction: search.direction,
    agentId: search.agent,
    endReason: endReasons.find((reason) => reason === search.end),
    phone: search.phone,
    from: search.from,
    to: search.to,
    slowerThanMs: search.slow
  }
  const list = useInfiniteQuery({
    queryKey: keys.calls(filter),
    initialPageParam: { page: 1 } as { readonly page: number; readonly asOf?: string },
    queryFn: async ({ pageParam, signal }) => {
      const { data, page, limit, total, asOf, totals } = await parley.calls.list(
        { ...filter, ...pageParam },
        { signal }
      )
      return { data, page, total, asOf, totals, isLast: page * limit >= total }
    },
    getNextPageParam: ({ isLast, page, asOf }) => (isLast ? undefined : { page: page + 1, asOf }),
    placeholderData: (before) => before
  })
  const calls = list.data?.pages.flatMap(({ data }) => data) ?? []
  const [first] = list.data?.pages ?? []
  const filtered = Object.keys(search).length > 0
  const set = (changes: { [Name in keyof typeof search]?: (typeof search)[Name] | undefined }) => {
    const next = Object.fromEntries(
      Object.entries({ ...search, ...changes }).filter(([, value]) => value !== undefined && value !== "")
    )
    void navigate({ to: "/calls", search: next, replace: true })
  }
  const clear = <Button onClick={() => void navigate({ to: "/calls", search: {} })}>{t("Clear the filter")}</Button>
  return (
    <>
      <PageHead
        title={t("Calls")}
        beside={first !== undefined && <span className="num text-ink-3">{number(first.total)}</span>}
      >
        <fieldset className="flex flex-wrap items-center gap-1.5">
          <legend className="sr-only">{t("Filters")}</legend>
          <select
            aria-label={t("Direction")}
            className={control}
            value={search.direction ?? ""}
            onChange={(event) => set({ direction: (event.target.value || undefined) as "inbound" })}
          >
            <option value="">{t("All directions")}</option>
            <option value="inbound">{t("Inbound")}</option>
            <option value="outbound">{t("Outbound")}</option>
          </select>
          <select
            aria-label={t("Agent")}
            className={control}
            value={search.agent ?? ""}
            onChange={(event) => set({ agent: event.target.value })}
          >
            <option value="">{t("All agents")}</option>
            {agents.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
          <select
            aria-label={t("End")}
            className={control}
            value={search.end ?? ""}
            onChange={(event) => set({ end: event.target.value })}
          >
            <option value="">{t("All ends")}</option>
            {endReasons.map((reason) => (
              <option key={reason} value={reason}>
                {endName(reason)}
              </option>
            ))}
          </select>
          <select
            aria-label={t("Answers")}
            className={control}
            value={search.slow ?? ""}
            onChange={(event) =>
              set(event.target.value === "" ? { slow: undefined } : { slow: Number(event.target.value) })
            }
          >
            <option value="">{t("All answers")}</option>
            {[...new Set([...slowness, ...(search.slow === undefined ? [] : [search.slow])])]
              .toSorted((a, b) => a - b)
              .map((ms) => (
                <option key={ms} value={ms}>
                  {t("slower than {time}", { time: seconds(ms) })}
                </option>
              ))}
          </select>
          <input
            type="date"
            aria-label={t("From")}
            className={control}
            value={search.from ?? ""}
            onChange={(event) => set({ from: event.target.value })}
          />
          <input
            type="date"
            aria-label={t("To")}
            className={control}
            value={search.to ?? ""}
            onChange={(event) => set({ to: event.target.value })}
          />
        </fieldset>
      </PageHead>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls it.
        tabIndex={0}
        aria-label={t("Calls")}
        className={`scroll-thin min-h-0 flex-1 overflow-auto bg-surface outline-offset-[-2px] ${list.isPlaceholderData ? "opacity-60" : ""}`}
      >
        {list.error !== null && calls.length === 0 ? (
          <ErrorBlock error={list.error} again={() => void list.refetch()} />
        ) : list.isPending ? (
          <ListSkeleton />
        ) : calls.length === 0 ? (
          filtered ? (
            <Empty title={t("No call matches.")} action={clear} />
          ) : (
            <Empty title={t("No calls yet.")}>{t("Give an agent a number, or place a call.")}</Empty>
          )
        ) : (
          <table className="w-full border-collapse">
            <thead className="sticky top-0 bg-surface text-small text-ink-3">
              <tr className="border-b border-line">
                <th scope="col" className="px-4 py-2 text-start font-medium md:px-5">
                  {t("Contact")}
                </th>
                <th scope="col" className="hidden px-3 py-2 text-start font-medium md:table-cell">
                  {t("Agent")}
                </th>
                <th scope="col" className="px-3 py-2 text-start font-medium">
                  {t("End")}
                </th>
                <th scope="col" className="hidden px-3 py-2 text-end font-medium lg:table-cell">
                  {t("Answered in")}
                </th>
                <th scope="col" className="px-3 py-2 text-end font-medium whitespace-nowrap">
                  {t("Duration")}
                </th>
                <th scope="col" className="hidden px-5 py-2 text-end font-medium md:table-cell">
                  {t("Time")}
                </th>
              </tr>
            </thead>
            <tbody className="[&_tr]:[contain-intrinsic-size:auto_40px] [&_tr]:[content-visibility:auto]">
              {calls.map((call) => (
                <Row
                  key={call.id}
                  call={call}
                  agent={agents.find(({ id }) => id === call.agentId)?.name}
                  slow={search.slow}
                />
              ))}
            </tbody>
          </table>
        )}
        <ShowMore list={list} />
      </section>
    </>
  )
}
