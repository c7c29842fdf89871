/** What was said with a contact on all channels, in one order: messages, calls, notes and changes. */
import type { Conversation, TimelineEntry } from "@parley/client"
import { useInfiniteQuery } from "@tanstack/react-query"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { inOrder, type ThreadPage } from "../../api/patch.ts"

const pageSize = 50

/** Older pages come by `fetchNextPage`; what comes later is put in by events. */
export const useThread = ({ id, contact }: Conversation) => {
  const thread = useInfiniteQuery({
    queryKey: keys.thread(contact.id),
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }): Promise<ThreadPage> => {
      const query = { contact: "all", limit: pageSize, before: pageParam } as const
      const { data, olderCursor, newerCursor } = await parley.chats.timeline(id, query, { signal })
      return { entries: data, olderCursor, newerCursor }
    },
    getNextPageParam: ({ olderCursor }) => olderCursor ?? undefined
  })
  const entries: ReadonlyArray<TimelineEntry> = inOrder(thread.data?.pages ?? [])
  return { ...thread, entries }
}
