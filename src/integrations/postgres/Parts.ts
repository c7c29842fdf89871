/** Parts of lists: what a query skips, and what its rows become. One row more than asked for tells that there is another part. */
import { Effect } from "effect"
import type { Listed, Part, Place } from "../../domain/Listing.ts"

export const skipped = ({ page, limit, after }: Part): number => (after === undefined ? (page - 1) * limit : 0)

/** `rows` were asked for with `limit + 1`. */
export const listed = <Row, A, E>(
  rows: ReadonlyArray<Row>,
  { limit }: Part,
  total: number,
  place: (row: Row) => Place,
  decode: (row: Row) => Effect.Effect<A, E>
): Effect.Effect<Listed<A>, E> => {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const next = rows.length > limit && last !== undefined ? place(last) : null
  return Effect.map(
    Effect.forEach(shown, (row) => decode(row)),
    (data) => ({ data, total, next })
  )
}
