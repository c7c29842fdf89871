/** What a query gives, or that it is coming, or why it failed. What was there before stays while it is asked for again. */
import type { UseQueryResult } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { ErrorBlock, ListSkeleton } from "../../components/States.tsx"

export const Loaded = <A,>({
  query,
  children
}: {
  readonly query: UseQueryResult<A>
  readonly children: (data: A) => ReactNode
}) => {
  if (query.data !== undefined) return children(query.data)
  return query.error === null ? <ListSkeleton /> : <ErrorBlock error={query.error} again={() => void query.refetch()} />
}
