/** What a list shows: that it is coming, why it failed, that it is empty, or its rows and the way to more. */
import type { ReactNode } from "react"
import { ErrorBlock, ListSkeleton, type MoreToCome, ShowMore } from "./States.tsx"

export interface List<A> extends MoreToCome {
  /** Undefined until it is known. */
  readonly all: ReadonlyArray<A> | undefined
  readonly error: Error | null
  readonly refetch: () => unknown
}

export const Listed = <A,>({
  list,
  empty,
  children
}: {
  readonly list: List<A>
  readonly empty: ReactNode
  readonly children: (all: ReadonlyArray<A>) => ReactNode
}) =>
  list.error !== null && list.all === undefined ? (
    <ErrorBlock error={list.error} again={() => void list.refetch()} />
  ) : list.all === undefined ? (
    <ListSkeleton />
  ) : list.all.length === 0 ? (
    empty
  ) : (
    <>
      {children(list.all)}
      <ShowMore list={list} />
    </>
  )
