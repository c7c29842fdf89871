/** The list of the inbox: views, and the conversations of the chosen one. Only the rows that are seen are in the page. */
import type { Conversation } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useVirtualizer } from "@tanstack/react-virtual"
import { useEffect, useRef } from "react"
import { keys } from "../../api/keys.ts"
import type { View } from "../../api/patch.ts"
import { useNamer } from "../../api/people.ts"
import { useSession } from "../../api/session.tsx"
import { Button } from "../../components/Button.tsx"
import { useTitle } from "../../components/Page.tsx"
import { Empty, ErrorBlock, Skeleton } from "../../components/States.tsx"
import { can } from "../../lib/can.ts"
import { cx } from "../../lib/classes.ts"
import { message, t } from "../../lib/i18n.ts"
import { useNow } from "../../lib/time.ts"
import { BulkBar } from "./BulkBar.tsx"
import { ConversationRow } from "./ConversationRow.tsx"
import { clearSelection, useSelection } from "./selection.ts"
import { useConversations } from "./useConversations.ts"
import { ActiveFilters, countText, FilterButton, SearchField, useCountOf, useView, ViewTabs } from "./Views.tsx"

const emptyTexts: Readonly<Record<View["name"], string>> = {
  open: message("Nothing is open. New messages appear here by themselves."),
  mine: message("Nothing is assigned to you."),
  unassigned: message("Everything has somebody who looks after it."),
  unread: message("Everything has been read."),
  overdue: message("Nothing is overdue."),
  snoozed: message("Nothing is snoozed."),
  resolved: message("Nothing has been resolved yet.")
}

export const ConversationList = () => {
  const { c: chosen } = useSearch({ from: "/signed-in/inbox" })
  const view = useView()
  const session = useSession()
  const selection = useSelection()
  const countOf = useCountOf()
  const { ids, total, isPending, isPlaceholderData, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useConversations(view)
  const client = useQueryClient()
  const navigate = useNavigate()
  const me = session.user.id
  const nameOf = useNamer()
  const now = useNow()
  const scroller = useRef<HTMLDivElement>(null)
  const coarse = matchMedia("(pointer: coarse)").matches
  const rows = useVirtualizer({
    count: ids.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (coarse ? 64 : 56),
    overscan: 8,
    getItemKey: (index) => ids[index] ?? index
  })
  const items = rows.getVirtualItems()
  const lastShown = items.at(-1)?.index ?? -1
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && lastShown >= ids.length - 10) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, lastShown, ids.length, fetchNextPage])
  const at = chosen === undefined ? -1 : ids.indexOf(chosen)
  useEffect(() => {
    if (at >= 0) rows.scrollToIndex(at, { align: "auto" })
  }, [at, rows])
  const key = JSON.stringify(view)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another view forgets what was selected.
  useEffect(() => clearSelection, [key])
  const { channel, label, assignee, search } = view
  const filtered = [channel, label, assignee, search].some((one) => one !== undefined)
  const count = filtered ? total : countOf(view.name)
  const clear = () => void navigate({ to: "/inbox", search: view.name === "open" ? {} : { view: view.name } })
  const labels = [
    ...new Set(ids.flatMap((id) => client.getQueryData<Conversation>(keys.conversation(id))?.labels ?? []))
  ].toSorted()
  useTitle(t("Inbox"))
  return (
    <section
      aria-label={t("Conversations")}
      className={cx(
        "min-h-0 w-full shrink-0 flex-col border-e border-line bg-surface md:flex md:w-[336px]",
        chosen === undefined ? "flex" : "hidden"
      )}
    >
      <div className="border-b border-line px-3 pt-2.5 pb-2">
        <div className="flex min-h-8 items-center gap-2">
          <h1 className="text-title font-semibold">{t("Inbox")}</h1>
          {count !== undefined && (
            <span role="status" className="num text-ink-3">
              {countText(count)}
            </span>
          )}
          <SearchField />
          <FilterButton labels={labels} />
        </div>
        <ViewTabs />
        <ActiveFilters />
      </div>
      <div
        ref={scroller}
        className={cx("scroll-thin min-h-0 flex-1 overflow-y-auto", isPlaceholderData && "opacity-60")}
        tabIndex={-1}
      >
        {error !== null && ids.length === 0 ? (
          <ErrorBlock error={error} again={() => void refetch()} />
        ) : isPending ? (
          <div aria-busy="true" className="flex flex-col">
            <span className="sr-only" role="status">
              {t("Loading")}
            </span>
            {Array.from({ length: 8 }, (_, index) => (
              <div key={index} className="flex h-14 items-center gap-2.5 border-b border-line px-3">
                <Skeleton className="size-7 !rounded-full" />
                <span className="flex flex-1 flex-col gap-1.5">
                  <Skeleton className="h-3 w-2/5" />
                  <Skeleton className="h-3 w-4/5" />
                </span>
              </div>
            ))}
          </div>
        ) : ids.length === 0 && !hasNextPage ? (
          <Empty
            title={filtered ? t("No conversation matches.") : t(emptyTexts[view.name])}
            action={filtered && <Button onClick={clear}>{t("Clear the filter")}</Button>}
          />
        ) : (
          <ul className="relative" style={{ height: rows.getTotalSize() }}>
            {items.map(({ index, start, key }) => {
              const conversation = client.getQueryData<Conversation>(keys.conversation(ids[index] ?? ""))
              if (conversation === undefined) return null
              return (
                <li
                  key={key}
                  aria-setsize={total ?? -1}
                  aria-posinset={index + 1}
                  className="absolute inset-x-0 top-0"
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <ConversationRow
                    conversation={conversation}
                    open={conversation.id === chosen}
                    selected={selection.has(conversation.id)}
                    selectable={can(session, "conversations:write")}
                    now={now}
                    nameOf={nameOf}
                    me={me}
                  />
                </li>
              )
            })}
          </ul>
        )}
      </div>
      <BulkBar labels={labels} />
    </section>
  )
}
