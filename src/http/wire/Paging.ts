/** Lists: `{ data, page, limit, total }`, newest first; `page` from 1, `limit` 20 by default and 100 at most. */
import { Schema } from "effect"
import type { Page } from "../../domain/basics/Listing.ts"
import { wholeNumber } from "./QueryNumber.ts"

/** The page and the limit of a request that names none. */
const first = { page: 1, limit: 20 }

/** An optional whole number in the query. */
export const whole = (minimum: number, maximum: number, absent?: number) =>
  Schema.optionalKey(wholeNumber({ minimum, maximum, ...(absent === undefined ? {} : { default: absent }) }))

export const pageQuery = { page: whole(1, 1_000_000, first.page), limit: whole(1, 100, first.limit) }

export const pageOf = <S extends Schema.Top>(item: S) =>
  Schema.Struct({
    data: Schema.Array(item),
    page: Schema.Int.annotate({ examples: [1] }),
    limit: Schema.Int.annotate({ examples: [20] }),
    total: Schema.Int.annotate({ examples: [1] })
  })

/** The requested page and its limit, with their defaults. */
export const window = (query: { readonly page?: number; readonly limit?: number }) => ({
  page: query.page ?? first.page,
  limit: query.limit ?? first.limit
})

/** The body of the answer for one page. */
export const toPage = <A>(found: Page<A>, { page, limit }: { readonly page: number; readonly limit: number }) => ({
  data: found.data,
  page,
  limit,
  total: found.total
})
