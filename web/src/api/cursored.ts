/** A list whose pages follow a cursor, of which more is asked for when somebody wants more. */
import { type QueryKey, useInfiniteQuery } from "@tanstack/react-query"

interface Page<A> {
  readonly data: ReadonlyArray<A>
  readonly total: number
  readonly nextCursor?: string | null | undefined
}

export const useCursored = <A>({
  queryKey,
  read,
  enabled = true
}: {
  readonly queryKey: QueryKey
  readonly read: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<A>>
  /** False: it is not read. */
  readonly enabled?: boolean
}) => {
  const list = useInfiniteQuery({
    queryKey,
    enabled,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: (before) => before
  })
  return { ...list, all: list.data?.pages.flatMap(({ data }) => data) ?? [], total: list.data?.pages[0]?.total }
}
