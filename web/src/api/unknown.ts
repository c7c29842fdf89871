/** Lists and counts that have changed in a way that the page cannot compute: they are read again, seldom. */
import type { QueryClient, QueryKey } from "@tanstack/react-query"

/** Each is read again at most this often. */
const unknownEveryMs = 30_000
const planned = new Set<QueryKey>()
const readAt = new Map<QueryKey, number>()

/** `key`: one of the constants of `keys`. */
export const readUnknownSoon = (client: QueryClient, key: QueryKey) => {
  if (planned.has(key)) return
  planned.add(key)
  const read = () => {
    planned.delete(key)
    readAt.set(key, Date.now())
    void client.invalidateQueries({ queryKey: key })
  }
  setTimeout(read, Math.max(500, (readAt.get(key) ?? 0) + unknownEveryMs - Date.now()))
}
