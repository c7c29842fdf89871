/**
 * Which conversations the browser holds. Events tell of all of the organization, and each is kept for a while, so that lists can be put in order; a page that
 * stays open for hours lets go of those that nobody shows.
 */
import type { Conversation } from "@parley/client"
import type { InfiniteData, QueryClient } from "@tanstack/react-query"
import { keys } from "./keys.ts"
import type { IdPage } from "./patch.ts"

/** So many conversations are held that nobody needs at the moment. */
const mostHeld = 500
/** It is looked at after so many that were stored, because looking goes through all of them. */
const lookedAtAfter = 100
let stored = 0

/** Call it after each conversation that was stored. */
export const letGo = (client: QueryClient): void => {
  if (++stored % lookedAtAfter !== 0) return
  const cache = client.getQueryCache()
  const held = cache.findAll({ queryKey: keys.allConversationRecords })
  if (held.length <= mostHeld) return
  const lists = client.getQueriesData<InfiniteData<IdPage>>({ queryKey: keys.allConversations })
  const listed = new Set(lists.flatMap(([, data]) => data?.pages.flatMap(({ ids }) => ids) ?? []))
  const free = held
    .filter(
      (query) =>
        query.getObserversCount() === 0 && !listed.has((query.state.data as Conversation | undefined)?.id ?? "")
    )
    .toSorted((a, b) => a.state.dataUpdatedAt - b.state.dataUpdatedAt)
  for (const query of free.slice(0, held.length - mostHeld)) cache.remove(query)
}
