/** A list whose pages have numbers, of which more is asked for when somebody wants more. */
import { type InfiniteData, type QueryKey, useInfiniteQuery } from "@tanstack/react-query"

interface Page<A> {
  readonly data: ReadonlyArray<A>
  readonly page: number
  readonly limit: number
  readonly total: number
}

export interface NumberedOptions<A> {
  readonly queryKey: QueryKey
  readonly read: (at: { readonly page: number; readonly limit: number }, signal: AbortSignal) => Promise<Page<A>>
  /** False: it is not read. */
  readonly enabled?: boolean
  /** How long until it is read again, for a list in which something is under way. */
  readonly againAfterMs?: ((all: ReadonlyArray<A>) => number | false) | undefined
}

const pageSize = 50

export const useNumbered = <A>({ queryKey, read, enabled = true, againAfterMs }: NumberedOptions<A>) => {
  const list = useInfiniteQuery({
    queryKey,
    enabled,
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) => read({ page: pageParam, limit: pageSize }, signal),
    getNextPageParam: ({ page, limit, total }: Page<A>) => (page * limit < total ? page + 1 : undefined),
    placeholderData: (before) => before,
    // No event tells of changes to these lists.
    staleTime: 0,
    refetchInterval: ({ state }: { readonly state: { readonly data: InfiniteData<Page<A>, number> | undefined } }) =>
      againAfterMs?.(state.data?.pages.flatMap(({ data }) => data) ?? []) ?? false
  })
  return { ...list, all: list.data?.pages.flatMap(({ data }) => data), total: list.data?.pages[0]?.total }
}

export type Numbered<A> = ReturnType<typeof useNumbered<A>>
