/** What a query gives, or that it is coming, or why it failed. What was there before stays while it is asked for again. */
import type { ReactNode } from "react"
import { ErrorBlock, ListSkeleton } from "./States.tsx"

interface Query<A> {
  readonly data: A | undefined
  readonly error: Error | null
  readonly refetch: () => unknown
}

export const Loaded = <A,>({
  query,
  coming = <ListSkeleton />,
  children
}: {
  readonly query: Query<A>
  /** What is shown while it comes. */
  readonly coming?: ReactNode
  readonly children: (data: A) => ReactNode
}) => {
  if (query.data !== undefined) return children(query.data)
  return query.error === null ? coming : <ErrorBlock error={query.error} again={() => void query.refetch()} />
}
