/** The conversations of a view: ids by page, records in the cache. */
import type { ChatsListQuery, Conversation } from "@parley/client"
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { storeConversation } from "../../api/live.ts"
import { type IdPage, isIn, newer, type View } from "../../api/patch.ts"
import { useSession } from "../../api/session.tsx"

const pageSize = 50
/** What time alone changes has no event: what becomes overdue, and what was snoozed until now. */
const readAgainEveryMs = 5 * 60_000

/** What the service is asked for a view. What it cannot tell apart, `isIn` does. */
const queryOf = (view: View, me: string): ChatsListQuery => {
  const { channel, label, assignee, search, contactId } = view
  const common: ChatsListQuery = { limit: pageSize, channel, label, assignee, search, contactId }
  const awake = { ...common, snoozed: "false" } as const
  switch (view.name) {
    case "open":
      return { ...awake, resolved: "false" }
    case "mine":
      return { ...awake, assignee: assignee ?? me, status: "ASSIGNED" }
    case "unassigned":
      return { ...awake, assignee: assignee ?? "none", status: "OPEN" }
    case "unread":
      return { ...awake, unread: "true" }
    case "overdue":
      return { ...awake, due: "overdue" }
    case "snoozed":
      return { ...common, snoozed: "true" }
    case "resolved":
      return { ...common, status: "RESOLVED" }
  }
}

/** How many conversations each view has. Events keep it right. */
export const useCounts = () =>
  useQuery({
    queryKey: keys.counts,
    queryFn: ({ signal }) => parley.chats.counts({ signal }),
    refetchInterval: readAgainEveryMs
  }).data

export const useConversations = (view: View, enabled = true) => {
  const client = useQueryClient()
  const me = useSession().user.id
  const list = useInfiniteQuery({
    queryKey: keys.conversations(view),
    initialPageParam: undefined as string | undefined,
    enabled,
    refetchInterval: readAgainEveryMs,
    queryFn: async ({ pageParam, signal }): Promise<IdPage> => {
      const page = await parley.chats.list({ ...queryOf(view, me), cursor: pageParam }, { signal })
      for (const conversation of page.data)
        client.setQueryData<Conversation>(keys.conversation(conversation.id), (known) => newer(known, conversation))
      const ids = page.data.filter((one) => isIn(view, one, me, Date.now())).map(({ id }) => id)
      return { ids, nextCursor: page.nextCursor ?? null, total: page.total }
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: (before) => before
  })
  const ids = [...new Set(list.data?.pages.flatMap((page) => page.ids) ?? [])]
  return { ...list, ids, total: list.data?.pages[0]?.total }
}

/** One conversation: from a list that is loaded, else from the service. */
export const useConversation = (id: string | undefined) => {
  const client = useQueryClient()
  return useQuery({
    queryKey: keys.conversation(id ?? ""),
    enabled: id !== undefined,
    queryFn: async ({ signal }): Promise<Conversation> => {
      const { messages: _, calls: __, ...conversation } = await parley.chats.get(id ?? "", { limit: 1 }, { signal })
      return newer(client.getQueryData<Conversation>(keys.conversation(id ?? "")), conversation)
    }
  })
}

/** Changes a conversation at once, sends the change, and takes it back when it fails, unless something newer has come meanwhile. */
export const useChange = () => {
  const client = useQueryClient()
  const me = useSession().user.id
  return async (
    id: string,
    change: Parameters<typeof parley.chats.update>[1],
    guess: Partial<Conversation>
  ): Promise<Conversation> => {
    const before = client.getQueryData<Conversation>(keys.conversation(id))
    // The guess keeps the time of the record, so that the service's answer replaces it.
    const guessed = before === undefined ? undefined : { ...before, ...guess }
    if (guessed !== undefined) storeConversation(client, guessed, me)
    try {
      const answer = await parley.chats.update(id, change)
      storeConversation(client, answer, me)
      return answer
    } catch (cause) {
      if (before !== undefined && client.getQueryData(keys.conversation(id)) === guessed)
        storeConversation(client, before, me)
      throw cause
    }
  }
}
