/** What a list of the settings shows: that it is coming, why it failed, that it is empty, or its rows and the way to more. */
import type { ReactNode } from "react"
import type { Numbered } from "../../../api/numbered.ts"
import { ErrorBlock, ListSkeleton, ShowMore } from "../../../components/States.tsx"

export const Listed = <A,>({
  list,
  empty,
  children
}: {
  readonly list: Numbered<A>
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
